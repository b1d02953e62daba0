/**
 * A size or a time of the bench: the small one where `BENCH_SMALL` is set, by which a run shows in seconds that everything still works,
 * and measures nothing.
 */
export function sized(full: number, small: number): number {
  return process.env['BENCH_SMALL'] === undefined ? full : small
}
