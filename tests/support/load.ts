/** Callers that call one address again and again. */
export interface Load {
  /** Request ids of the calls whose whole response came; of sessions, one entry for each response. */
  readonly served: readonly string[]
  readonly failures: readonly string[]
  /** Calls no more, and resolves when the last response is there. */
  end(): Promise<void>
}

/** Between two responses of a session, and after a failure. */
const pauseMs = 300

/**
 * Milliseconds after which an upstream responds to a load: each caller has a call in flight at any moment, and a few callers leave the
 * processor to whatever the load runs beside.
 */
export const pacedMs = 20

/** Chat calls of several callers, every other one a stream. */
export function loadCalls(url: string, key: string, callers = 12): Load {
  const served: string[] = []
  const failures: string[] = []
  let isEnding = false

  async function callAgain(_: unknown, caller: number): Promise<void> {
    for (let index = caller; !isEnding; index += 1) {
      const stream = index % 2 === 0
      const outcome = await call(url, key, stream).catch((error) => ({
        failure: String(error),
        requestId: '',
      }))
      if (outcome.failure === undefined) served.push(outcome.requestId)
      else {
        failures.push(`${stream ? 'stream' : 'call'} ${outcome.requestId}: ${outcome.failure}`)
        await Bun.sleep(pauseMs)
      }
    }
  }

  const calling = Promise.all(Array.from({ length: callers }, callAgain))
  return {
    served,
    failures,
    async end() {
      isEnding = true
      await calling
    },
  }
}

async function call(url: string, key: string, stream: boolean) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'gpt-4o', stream, messages: [{ role: 'user', content: 'hi' }] }),
  })
  const text = await response.text()
  const isWhole =
    response.status === 200 && (stream ? text.endsWith('data: [DONE]\n\n') : text.includes('"usage"'))
  const failure = isWhole ? undefined : `${response.status} ${text.slice(-300)}`
  return { failure, requestId: response.headers.get('x-request-id') ?? '' }
}

/** A load that counts its sessions. */
export interface SessionLoad extends Load {
  /** Sessions in which a response came. */
  readonly sessions: number
}

/**
 * One caller of the Realtime API, who asks for a response every 300 ms, and opens another session when the gateway says that it goes
 * away (1001). A response that has begun must end; one that was only asked for is asked for again.
 */
export function loadSessions(url: string, key: string, model: string): SessionLoad {
  const served: string[] = []
  const failures: string[] = []
  let sessions = 0
  let isEnding = false

  async function speak(): Promise<void> {
    while (!isEnding) {
      const before = served.length
      const failure = await speakOnce(`${url.replace('http', 'ws')}/v1/realtime?model=${model}`, key, {
        isOver: () => isEnding,
        responded: () => served.push(`session ${sessions}`),
      })
      if (served.length > before) sessions += 1
      if (failure === undefined) continue
      failures.push(failure)
      await Bun.sleep(pauseMs)
    }
  }

  const speaking = speak()
  return {
    served,
    failures,
    get sessions() {
      return sessions
    },
    async end() {
      isEnding = true
      await speaking
    },
  }
}

interface Speaker {
  isOver(): boolean
  responded(): void
}

/** One session to its end; resolves with what went wrong. */
function speakOnce(url: string, key: string, speaker: Speaker): Promise<string | undefined> {
  // The types of browsers, which hold here, know no headers.
  const options: Bun.WebSocketOptions = { headers: { authorization: `Bearer ${key}` } }
  const socket = new WebSocket(url, options as unknown as string[])
  let isResponding = false
  const ask = () => {
    if (speaker.isOver()) socket.close(1000)
    else socket.send(JSON.stringify({ type: 'response.create' }))
  }
  socket.addEventListener('open', ask)
  socket.addEventListener('message', ({ data }) => {
    const { type } = JSON.parse(String(data)) as { type: string }
    if (type === 'response.created') isResponding = true
    if (type !== 'response.done') return
    isResponding = false
    speaker.responded()
    setTimeout(ask, pauseMs)
  })
  return new Promise((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => {
      const isRegular = !isResponding && (code === 1001 || code === 1000)
      resolve(
        isRegular
          ? undefined
          : `a session ended with ${code} ${reason}${isResponding ? ' within a response' : ''}`,
      )
    })
  })
}
