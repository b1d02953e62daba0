/**
 * Returns the reason with which a promise rejects; `undefined` when it does not. Replaces `expect(…).rejects`, which never sees the
 * response of a worker: https://github.com/oven-sh/bun/issues/43819
 */
export function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
}
