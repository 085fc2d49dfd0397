/** What came of a call on the file system that did not work; it is a value, since a spool directory may hold anything. */
export interface Failure {
  readonly status: "failed";
  /** Code of the system call, `EACCES`. */
  readonly code: string;
}
