import { createHash } from "node:crypto";
import { VERSION } from "../../version.ts";
import type { ConversationRow } from "../store/conversation-store.ts";
import { createZip } from "./zip.ts";

// Relativity's short message format, version 2.0: a mail with one attachment.
// @see https://help.relativity.com/RelativityOne/Content/System_Guides/Relativity_Short_Message_Format/Relativity_short_message_format.htm
const RSMF_VERSION = "2.0.0";
const APPLICATION = "agent-monitor";
const CRLF = "\r\n";

/** An event of `rsmf_manifest.json`. */
export interface RsmfEvent {
  readonly id: string;
  readonly type: "message" | "unknown";
  readonly participant: string;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
  readonly body: string;
  readonly direction?: "incoming" | "outgoing";
  readonly custom: readonly { readonly name: string; readonly value: string }[];
}

/** Someone who has taken part. */
interface Participant {
  readonly id: string;
  readonly display: string;
}

/** Content of a file. */
export interface RsmfContent {
  readonly conversation: ConversationRow;
  readonly participants: readonly Participant[];
  /** At least one, in order of time. */
  readonly events: readonly RsmfEvent[];
  /** Number of the file among those of the conversation, from 1. */
  readonly part: number;
  /** Whose data it is: a participant. */
  readonly custodian: string;
}

/** Characters of an encoded word: its 75 bytes less what stands around them, and four Base64 digits stand for three bytes. */
const WORD_BYTES = 42;

/** Writes text for a header: as it is, or as encoded words. @see RFC 2047, 2 */
function toHeaderText(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (/^[\x20-\x7e]{0,900}$/.test(line)) return line;
  const words: string[] = [];
  let word = "";
  for (const character of line) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = "";
    }
    word += character;
  }
  if (word !== "") words.push(word);
  return words
    .map((each) => `=?UTF-8?B?${Buffer.from(each).toString("base64")}?=`)
    .join(`${CRLF} `);
}

/** Writes bytes as Base64 in lines of 76 characters. @see RFC 2045, 6.8 */
function toBase64Lines(data: Uint8Array): string {
  const text = Buffer.from(data).toString("base64");
  return text.replaceAll(/.{76}/g, `$&${CRLF}`).trimEnd();
}

function toManifest({ conversation, participants, events, custodian }: RsmfContent): object {
  const { key, conversationId, title, organizationId, agentId } = conversation;
  return {
    version: RSMF_VERSION,
    participants,
    conversations: [
      {
        id: key,
        platform: APPLICATION,
        type: "direct",
        display: title ?? conversationId,
        participants: participants.map(({ id }) => id),
        custodian,
        custom: [
          { name: "organization", value: organizationId },
          { name: "agent", value: agentId },
          { name: "conversation", value: conversationId },
        ],
      },
    ],
    events: events.map((event) => ({ ...event, conversation: key })),
    eventcollectionid: key,
  };
}

function toTranscript({ participants, events }: RsmfContent): string {
  const names = new Map(participants.map(({ id, display }) => [id, display]));
  return events
    .map((event) => `${event.timestamp} ${names.get(event.participant) ?? ""}: ${event.body}\n`)
    .join("");
}

function toHeaders(content: RsmfContent, boundary: string): string {
  const { conversation, participants, events, part, custodian } = content;
  const [first, last] = [events[0], events.at(-1)];
  const begin = first?.timestamp ?? "";
  const end = last?.timestamp ?? begin;
  const owner = participants.find(({ id }) => id === custodian)?.display ?? custodian;
  const headers: readonly (readonly [string, string])[] = [
    ["From", "<rsmf@agent-monitor.invalid>"],
    ["Date", new Date(end).toUTCString().replace("GMT", "+0000")],
    ["Subject", toHeaderText(`${conversation.title ?? conversation.conversationId} (${part})`)],
    ["Message-ID", `<${conversation.key}.${part}@agent-monitor.invalid>`],
    ["MIME-Version", "1.0"],
    ["X-RSMF-Version", RSMF_VERSION],
    ["X-RSMF-Generator", `${APPLICATION} ${VERSION}`],
    ["X-RSMF-BeginDate", begin],
    ["X-RSMF-EndDate", end],
    ["X-RSMF-EventCount", String(events.length)],
    ["X-RSMF-AttachmentCount", "0"],
    ["X-RSMF-Application", APPLICATION],
    ["X-RSMF-Custodian", toHeaderText(owner)],
    ["X-RSMF-Participants", toHeaderText(participants.map(({ display }) => display).join(", "))],
    ["X-RSMF-EventCollectionID", conversation.key],
    ["Content-Type", `multipart/mixed; boundary="${boundary}"`],
  ];
  return headers.map(([name, value]) => `${name}: ${value}${CRLF}`).join("");
}

/** Writes a file of one conversation, or of a part of it. */
export function writeRsmf(content: RsmfContent): Buffer {
  const zip = createZip(Date.parse(content.events[0]?.timestamp ?? "1980-01-01"));
  const manifest = Buffer.from(JSON.stringify(toManifest(content)));
  const archive = Buffer.concat([zip.add("rsmf_manifest.json", manifest), zip.finish()]);
  // Base64 has no character of it, and the digest makes it the same for the same content.
  const boundary = `=_${createHash("sha256").update(manifest).digest("hex").slice(0, 32)}`;
  const parts = [
    `Content-Type: text/plain; charset=utf-8${CRLF}Content-Transfer-Encoding: base64${CRLF}${CRLF}` +
      toBase64Lines(Buffer.from(toTranscript(content))),
    `Content-Type: application/zip; name="rsmf.zip"${CRLF}Content-Transfer-Encoding: base64${CRLF}` +
      `Content-Disposition: attachment; filename="rsmf.zip"${CRLF}${CRLF}${toBase64Lines(archive)}`,
  ];
  const body = parts.map((part) => `--${boundary}${CRLF}${part}${CRLF}`).join("");
  return Buffer.from(`${toHeaders(content, boundary)}${CRLF}${body}--${boundary}--${CRLF}`);
}
