/** One server-sent event. */
export interface SseEvent {
  /** `message` when the stream does not name it. */
  readonly event: string
  readonly data: string
}

/**
 * Turns bytes into events, however the network cuts them: inside a character, between CR and LF, anywhere.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export interface SseReader {
  /** The events that these bytes complete. */
  push(bytes: Uint8Array): readonly SseEvent[]
  /** The end of the bytes: a last event without its empty line still counts, because servers forget it. */
  end(): readonly SseEvent[]
}

export function createSseReader(): SseReader {
  // Skips a byte order mark at the start, as the standard asks.
  const decoder = new TextDecoder()
  let rest = ''
  let event = ''
  let data: string[] = []

  function take(text: string, ended: boolean): readonly SseEvent[] {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    // A CR at the very end may be half of a CR LF; the last piece is no whole line yet.
    rest = lines.pop() ?? ''
    const events = lines.flatMap(readLine)
    if (!ended) return events
    const last = rest.replace(/\r$/, '')
    rest = ''
    return [...events, ...(last === '' ? [] : readLine(last)), ...readLine('')]
  }

  function readLine(line: string): readonly SseEvent[] {
    if (line === '') return dispatch()
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    if (name === 'event') event = value
    return []
  }

  function dispatch(): readonly SseEvent[] {
    const events = data.length > 0 ? [{ event: event || 'message', data: data.join('\n') }] : []
    data = []
    event = ''
    return events
  }

  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true }), false),
    end: () => take(decoder.decode(), true),
  }
}
