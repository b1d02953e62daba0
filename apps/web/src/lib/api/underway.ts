/** Calls that were sent and have no response yet, since the last change. */
const underway = new Map<string, Promise<unknown>>()

/**
 * Sends a call, or returns the response of the same one that is on its way: a double click, or Enter that is held down, is one order, also
 * where the order is a GET, as the test of a channel is. After another change both are sent anew: it may take the one back, and changes what the other
 * reads.
 * @param name has all that is sent
 */
export function joinUnderway<Response>(
  name: string,
  method: string,
  send: () => Promise<Response>,
): Promise<Response> {
  const same = underway.get(name)
  // One name is one call, whose responses are of one type.
  if (same !== undefined) return same as Promise<Response>
  if (method !== 'GET') underway.clear()
  const sent = send().finally(() => {
    if (underway.get(name) === sent) underway.delete(name)
  })
  underway.set(name, sent)
  return sent
}
