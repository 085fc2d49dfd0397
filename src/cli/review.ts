import { DEFAULT_ENDPOINT } from "../config/config.ts";
import { REVIEW_ORIGINS, REVIEW_STATES } from "../platform/review/review-item.ts";
import { DISPOSITIONS } from "../platform/review/review-policy.ts";
import { QUEUE_ORDERS } from "../platform/review/queue-orders.ts";
import { PlatformCallError } from "./call-platform.ts";
import { closeReviews } from "./review/close.ts";
import { listReviews } from "./review/ls.ts";
import { showReview } from "./review/show.ts";
import { createGroup, describeFailure } from "./run-command.ts";

const HELP = `Usage: agent-monitor review <command> [url] [options]

Works with the review queue of a platform: conversations in which something was found, until somebody has decided.

Commands:
  ls               list the queue, a table that fits the terminal
  show <key>       an item with its findings, and what was done to it
  close <key…>     close these items, or those that a filter chooses; shows them and asks first

  url  a local platform (default: AGENT_MONITOR_ENDPOINT, else ${DEFAULT_ENDPOINT})

Filters of ls and close:
  --state <state>          ${[...REVIEW_STATES, "any"].join(", ")} (default: all but closed)
  --severity <severity>    none, info, warning, violation: at least
  --risk <0-100>           at least
  --rule <id>              with a finding of this rule
  --category <category>    of this area of law: bsa_aml, fair_lending, privacy …
  --agent <id>             of this agent
  --agent-version <text>   of this version
  --environment <name>     production, staging, development
  --origin <origin>        ${REVIEW_ORIGINS.join(", ")}
  --tier <tier>            confirmed, contradicted: what the judge says
  --assignee <name>        claimed by, or assigned to
  --overdue                past their due date
Options of ls:
  --disposition <name>     closed with
  --order <order>          ${QUEUE_ORDERS.join(", ")} (default rank)
  --limit <number>         at most so many, 1 to 1000 (default 50)
Options of close:
  --disposition <name>     ${DISPOSITIONS.join(", ")}: needed
  --reason-code <code>     one of the platform's for it
  --comment <text>         stands in the audit trail
  --yes                    do not ask; needed where nobody can be asked
Options of all:
  --api-key <key>          key of who decides (default: AGENT_MONITOR_API_KEY)
  --json                   print JSON
  --help                   show this
  --version                show the version

Examples:
  agent-monitor review ls --severity violation --overdue
  agent-monitor review close 4pXb2u… --disposition false_positive --reason-code definition
  agent-monitor review close --rule privacy-iban --agent branch-copilot --disposition violation --reason-code confirmed --yes

Each item is closed in the version that was shown: one that has changed meanwhile is refused. Texts are shown with identifiers
masked. Exit code: 0 done, 1 something was refused or can't be read, or nobody said yes, 2 wrong usage.
`;

/** Lists, shows and closes items of a platform's queue. */
export const reviewCommand = createGroup({
  name: "review",
  help: HELP,
  commands: { ls: listReviews, show: showReview, close: closeReviews },
  failed: 1,
  describe: (command, error) =>
    error instanceof PlatformCallError
      ? error.message
      : describeFailure(`review ${command}`, error),
});
