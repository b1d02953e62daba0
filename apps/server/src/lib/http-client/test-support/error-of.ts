/** What a promise was rejected with; `undefined` when it was not. */
export function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
}
