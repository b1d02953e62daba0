/** Returns the reason for which a promise was rejected; `undefined` when it was not. */
export async function errorOf(outcome: unknown): Promise<unknown> {
  try {
    await outcome
  } catch (reason) {
    return reason
  }
  return undefined
}
