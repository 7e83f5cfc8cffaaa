/** Environment variables of CI systems: who has started a job, and where it is shown. */
import { userName } from "../../fs/user-name";

/** Variables with the name of the person who has started a CI job. */
const actorVariables = [
  "GITHUB_ACTOR",
  "GITLAB_USER_LOGIN",
  "BUILD_REQUESTEDFOR",
  "BUILDKITE_BUILD_CREATOR",
  "CIRCLE_USERNAME",
];
const jobVariables = ["CI_JOB_URL", "BUILDKITE_BUILD_URL", "CIRCLE_BUILD_URL", "BUILD_URL"];

/** Who has started a run, and the address of its CI job. */
export interface Actor {
  user: string;
  job: string | undefined;
}

export function actorOf(environment: NodeJS.ProcessEnv): Actor {
  const first = (names: string[]) => names.map((name) => environment[name]).find(Boolean);
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = environment;
  const job = server && repository && run ? `${server}/${repository}/actions/runs/${run}` : first(jobVariables);
  return { user: first(actorVariables) ?? userName(), job };
}
