/** How a request that had passed the gate ended, and what its address learns from it. */

/**
 * Answered; refused for being too many; its connection refused or cut, before that connection had ever worked or
 * afterwards; anything else.
 */
export type Outcome = "answered" | "refused" | "cut-unproven" | "cut-proven" | "failed";

/** A gate that has calls waiting. */
interface Waiting {
  readonly waiting: number;
  /** Lets the next waiting call through if it may go. */
  passOne(): boolean;
}

/** Answers after which one more connection is tried: a long run, since a try that is cut is a lost answer. */
const connectionRun = 320;

/**
 * Requests in flight to one address, over all keys, and the gates that have calls waiting. As many connections are open as
 * requests are in flight, so here is also learnt how many connections the service bears.
 */
export class Address {
  inFlight = 0;
  readonly busy = new Set<Waiting>();
  /** Connections at once that the service seems to bear. */
  connections = Number.POSITIVE_INFINITY;
  /** Answers since that was learnt. */
  #answers = 0;

  /** Learns from a request that has just ended. */
  learn(outcome: Outcome): void {
    if (outcome === "cut-proven") {
      // A limit turns away the newcomer: what cuts those that work is a bad line.
      this.connections = Number.POSITIVE_INFINITY;
    } else if (outcome === "cut-unproven") {
      // This one was too many, the others are not; but when all are cut and nothing works, it is no limit.
      if (this.inFlight > 0) this.#limit(Math.min(this.connections, this.inFlight));
      else if (this.#answers === 0) this.connections = Number.POSITIVE_INFINITY;
    } else if (outcome === "answered" && ++this.#answers % connectionRun === 0) {
      this.connections++;
    }
  }

  #limit(connections: number): void {
    this.connections = connections;
    this.#answers = 0;
  }

  /** Lets calls through, gate by gate in turn, so that one sub account cannot keep the others waiting. */
  pump(): void {
    for (let idle = 0; this.busy.size > 0 && idle < this.busy.size; ) {
      const [gate] = this.busy as unknown as [Waiting];
      this.busy.delete(gate);
      const passed = gate.passOne();
      if (gate.waiting > 0) this.busy.add(gate);
      idle = passed ? 0 : idle + 1;
    }
  }
}
