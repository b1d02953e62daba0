/** The last change that was sent, until its response is here. */
let last: { readonly change: string; readonly sent: Promise<unknown> } | undefined

/**
 * Sends a change, or returns the response of the same one that is on its way: a double click, or Enter that is held down, is one order.
 * A change after another one is sent anew, since it may take that one back.
 * @param change names it with all that is sent
 */
export function joinUnderway<Response>(change: string, send: () => Promise<Response>): Promise<Response> {
  // One name is one call, whose responses are of one type.
  if (last?.change === change) return last.sent as Promise<Response>
  const sent = send().finally(() => {
    if (last?.sent === sent) last = undefined
  })
  last = { change, sent }
  return sent
}
