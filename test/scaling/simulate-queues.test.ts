import { describe, expect, it } from "vitest";
import { simulateQueues, type Station } from "../../.ci/docs/scaling/simulate-queues.ts";
import { createRandom } from "../../src/cli/seed/random.ts";

const MEAN_MILLIS = 10;
const random = createRandom(3);
const EXPONENTIAL = Array.from({ length: 5000 }, () => -Math.log(1 - random.next()) * MEAN_MILLIS);
const mean = (values: readonly number[] = []): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const simulate = (station: Partial<Station>, load: number) => {
  const { servers = 1, serviceMillis = [MEAN_MILLIS] } = station;
  const whole = { servers, serviceMillis, isShared: true, maxJobs: 1, ...station };
  const jobsPerSecond = (load * servers * 1000) / mean(serviceMillis);
  return simulateQueues({ stations: [whole], jobsPerSecond, jobs: 200_000, seed: 7 });
};
/** Whether two figures differ by less than a share. */
const expectAbout = (found: number, expected: number, share = 0.05): void =>
  expect(Math.abs(found / expected - 1)).toBeLessThan(share);

/** The probability that somebody waits, of Erlang. */
function erlangC(servers: number, load: number): number {
  const offered = servers * load;
  let term = 1;
  let sum = 1;
  for (let index = 1; index < servers; index++) sum += term *= offered / index;
  const last = (term * offered) / servers / (1 - load);
  return last / (sum + last);
}

describe("queues of which theory knows the times", () => {
  it.each([0.5, 0.8])("M/D/1 with a load of %f", (load) => {
    const { passedMillis, busy } = simulate({}, load);
    expectAbout(busy[0]!, load);
    expectAbout(mean(passedMillis[0]), MEAN_MILLIS * (1 + load / (2 * (1 - load))));
  });

  it.each([0.5, 0.8])("M/M/1 with a load of %f", (load) => {
    const { passedMillis } = simulate({ serviceMillis: EXPONENTIAL }, load);
    expectAbout(mean(passedMillis[0]), mean(EXPONENTIAL) / (1 - load));
  });

  it.each([2, 5])("M/M/%i", (servers) => {
    const load = 0.8;
    const { passedMillis } = simulate({ servers, serviceMillis: EXPONENTIAL }, load);
    const waited = erlangC(servers, load) / (servers * (1 - load));
    expectAbout(mean(passedMillis[0]), mean(EXPONENTIAL) * (1 + waited));
  });

  it("servers with keys of their own are as many queues of one server", () => {
    const { passedMillis } = simulate(
      { servers: 4, isShared: false, serviceMillis: EXPONENTIAL },
      0.8,
    );
    expectAbout(mean(passedMillis[0]), mean(EXPONENTIAL) / 0.2);
  });
});

it("passes more than a server could by itself where it takes several at a time", () => {
  const { passedMillis, busy } = simulate({ maxJobs: 100 }, 5);
  expect(passedMillis[0]).toHaveLength(200_000);
  expect(busy[0]).toBeLessThanOrEqual(1);
  expect(mean(passedMillis[0])).toBeLessThan(MEAN_MILLIS * 2.5);
});

it("lets each job go through all stations, in the same way each time", () => {
  const station = { servers: 2, isShared: true, maxJobs: 1, serviceMillis: [1, 2, 3] };
  const line = { stations: [station, station], jobsPerSecond: 500, jobs: 1000, seed: 1 };
  const { passedMillis } = simulateQueues(line);
  expect(passedMillis.map(({ length }) => length)).toEqual([1000, 1000]);
  expect(mean(passedMillis[1])).toBeGreaterThan(mean(passedMillis[0]) + 1);
  expect(simulateQueues(line)).toEqual(simulateQueues(line));
});
