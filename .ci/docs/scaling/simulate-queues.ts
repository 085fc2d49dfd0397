import { createRandom } from "../../../src/cli/seed/random.ts";

/** A part that jobs go through, one after the other. */
export interface Station {
  readonly servers: number;
  /** Whether a job may be served by any server that is free; else each job has its own by chance, as a key has its partition. */
  readonly isShared: boolean;
  /** Jobs that a server may take at a time. */
  readonly maxJobs: number;
  /** What a server needs for what it takes, each as likely as the others; ms. */
  readonly serviceMillis: readonly number[];
}

/** A line of stations, and what comes. */
export interface Line {
  readonly stations: readonly Station[];
  /** Jobs in a second, which come independently of one another. */
  readonly jobsPerSecond: number;
  readonly jobs: number;
  readonly seed: number;
}

/** What came of it. */
export interface Simulated {
  /** For each station, the times from a job's arrival to its end there, ms, sorted. */
  readonly passedMillis: readonly (readonly number[])[];
  /** For each station, the share of the time in which its servers work. */
  readonly busy: readonly number[];
}

/** Something that happens: a job comes to a station, or a server has done what it took. */
interface Happening {
  readonly at: number;
  readonly station: number;
  readonly server: number;
  readonly jobs: readonly number[];
  readonly isDone: boolean;
}

/** What has not happened yet, the next one first. */
function createAgenda() {
  const heap: Happening[] = [];
  const at = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY;
  const swap = (one: number, other: number): void => {
    const [first, second] = [heap[one], heap[other]];
    if (first && second) [heap[one], heap[other]] = [second, first];
  };
  return {
    add(happening: Happening): void {
      let index = heap.push(happening) - 1;
      for (let parent = (index - 1) >> 1; index > 0 && at(parent) > at(index);) {
        swap(index, parent);
        index = parent;
        parent = (index - 1) >> 1;
      }
    },
    takeNext(): Happening | undefined {
      const [next] = heap;
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return next;
      heap[0] = last;
      for (let index = 0; ;) {
        const left = 2 * index + 1;
        const least = at(left + 1) < at(left) ? left + 1 : left;
        if (at(least) >= at(index)) return next;
        swap(index, least);
        index = least;
      }
    },
  };
}

/** Servers of a station, and who waits for them. */
function createCounter({ servers, isShared, maxJobs }: Station) {
  const idle = new Set(Array.from({ length: servers }, (_, server) => server));
  const queues = Array.from({ length: isShared ? 1 : servers }, () => ({
    jobs: [] as number[],
    first: 0,
  }));
  const queueOf = (server: number) => queues[isShared ? 0 : server];
  return {
    queue: (job: number, server: number): void => void queueOf(server)?.jobs.push(job),
    /** Returns a server that has nothing to do and could serve a job of this one. */
    findIdle: (server: number): number | undefined =>
      isShared ? idle.values().next().value : idle.has(server) ? server : undefined,
    release: (server: number): void => void idle.add(server),
    take(server: number): number[] {
      const queue = queueOf(server);
      if (!queue) return [];
      const taken = queue.jobs.slice(queue.first, queue.first + maxJobs);
      queue.first += taken.length;
      if (taken.length > 0) idle.delete(server);
      return taken;
    },
  };
}

/** Lets jobs go through a line of stations; the same line and seed have the same outcome. */
export function simulateQueues({ stations, jobsPerSecond, jobs, seed }: Line): Simulated {
  const random = createRandom(seed);
  const counters = stations.map(createCounter);
  const agenda = createAgenda();
  const cameAt: number[] = [];
  const passedMillis = stations.map((): number[] => []);
  const workedMillis = stations.map(() => 0);
  let now = 0;

  const serve = (index: number, server: number): void => {
    const taken = counters[index]?.take(server) ?? [];
    if (taken.length === 0) return;
    const millis = random.pick(stations[index]?.serviceMillis ?? []);
    workedMillis[index] = (workedMillis[index] ?? 0) + millis;
    agenda.add({ at: now + millis, station: index, server, jobs: taken, isDone: true });
  };
  const enter = (index: number, job: number): void => {
    const server = random.integer(0, (stations[index]?.servers ?? 1) - 1);
    counters[index]?.queue(job, server);
    const free = counters[index]?.findIdle(server);
    if (free !== undefined) serve(index, free);
  };
  const leave = ({ station, server, jobs: done }: Happening): void => {
    for (const job of done) passedMillis[station]?.push(now - (cameAt[job] ?? 0));
    counters[station]?.release(server);
    serve(station, server);
    if (station + 1 < stations.length) for (const job of done) enter(station + 1, job);
  };
  const comeNext = (): void => {
    if (cameAt.length === jobs) return;
    const at = now - (Math.log(1 - random.next()) * 1000) / jobsPerSecond;
    cameAt.push(at);
    agenda.add({ at, station: 0, server: 0, jobs: [cameAt.length - 1], isDone: false });
  };

  comeNext();
  for (let next = agenda.takeNext(); next; next = agenda.takeNext()) {
    now = next.at;
    if (next.isDone) leave(next);
    else {
      comeNext();
      enter(0, next.jobs[0] ?? 0);
    }
  }
  return {
    passedMillis: passedMillis.map((times) => times.toSorted((one, other) => one - other)),
    busy: stations.map(({ servers }, index) => (workedMillis[index] ?? 0) / (servers * now)),
  };
}
