/** True for the names and addresses of this machine itself, as they stand in a URL's `hostname`. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
