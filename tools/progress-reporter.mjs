// A line every ten seconds: how many files of tests have ended. The reporter beside it says nothing until a test fails.
import { say, sayProgress } from "./prepare.mjs";

export default class ProgressReporter {
  #files = 0;
  #ended = 0;
  #failed = 0;
  #stop = () => {};
  #print;

  constructor({ print = say } = {}) {
    this.#print = print;
  }

  onTestRunStart(specifications) {
    this.#stop();
    this.#files = specifications.length;
    this.#ended = 0;
    this.#failed = 0;
    this.#stop = sayProgress(() => this.#line(), this.#print);
  }

  onTestModuleEnd(module) {
    this.#ended++;
    if (module.state() === "failed") this.#failed++;
  }

  onTestRunEnd() {
    this.#stop();
  }

  #line() {
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : "";
    return `Tests: ${this.#ended} of ${this.#files} files${failed}`;
  }
}
