type Socket = Bun.ServerWebSocket<undefined>

/** An upstream that speaks the Realtime API over real sockets, with scripted behaviour. */
export interface RealtimeUpstream {
  /** Root for a channel's base URL. */
  readonly url: string
  /** Handshakes, refused ones among them, oldest first. */
  readonly handshakes: { readonly path: string; readonly headers: Readonly<Record<string, string>> }[]
  /** Messages that came, oldest first. */
  readonly messages: (string | Uint8Array)[]
  /** Codes with which sessions were closed, oldest first. */
  readonly closings: number[]
  stop(): Promise<void>
}

export interface RealtimeScript {
  /** Status of every handshake, when it is refused. */
  readonly refuses?: number
  /** Responds to a message of the caller. */
  reply?(event: Record<string, unknown>, send: (event: object) => void, socket: Socket): void
}

function eventIn(message: string | Uint8Array): Record<string, unknown> {
  if (typeof message !== 'string') return { type: 'bytes' }
  try {
    return Object(JSON.parse(message))
  } catch {
    return { type: 'noise' }
  }
}

export async function startRealtimeUpstream(script: RealtimeScript): Promise<RealtimeUpstream> {
  const handshakes: RealtimeUpstream['handshakes'] = []
  const messages: RealtimeUpstream['messages'] = []
  const closings: number[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      const { pathname, search } = new URL(request.url)
      const headers = Object.fromEntries(request.headers as unknown as Iterable<[string, string]>)
      handshakes.push({ path: pathname + search, headers })
      if (script.refuses !== undefined) return new Response('no', { status: script.refuses })
      const offersProtocol = request.headers.get('sec-websocket-protocol') !== null
      const reply = offersProtocol ? { headers: { 'sec-websocket-protocol': 'realtime' } } : {}
      return self.upgrade(request, { data: undefined, ...reply })
        ? undefined
        : new Response('', { status: 400 })
    },
    websocket: {
      maxPayloadLength: 64 << 20,
      backpressureLimit: 64 << 20,
      open: (socket: Socket) => void socket.send(JSON.stringify({ type: 'session.created', session: {} })),
      message(socket, message) {
        messages.push(message)
        script.reply?.(eventIn(message), (reported) => void socket.send(JSON.stringify(reported)), socket)
      },
      close: (_, code) => void closings.push(code),
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    handshakes,
    messages,
    closings,
    stop: () => server.stop(true),
  }
}
