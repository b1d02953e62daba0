import type { ReceivedPrompt, Scripted } from './protocol.ts'
import { failsAfter, refuses, type ScriptedUpstream, says } from './scripted-upstream.ts'
import { errorMessage, type SparkUpstream, textMessage } from './spark.ts'

/** An upstream of any transport, with its behaviour for the next calls and a record of the received ones. */
export interface InspectedUpstream {
  readonly url: string
  says(reply: Scripted): void
  /** Expects the refusal of a wrong request. */
  refuses(message: string): void
  /** Fails after that many events with content. */
  failsAfter(deliveries: number, reply: Scripted, message: string): void
  /** The calls since the behaviour was last set. */
  readonly requested: readonly SeenPrompt[]
  stop(): Promise<void>
}

export interface SeenPrompt {
  readonly model: string
  readonly reported: ReceivedPrompt
}

export function overHttp(upstream: ScriptedUpstream): InspectedUpstream {
  const { protocol, url } = upstream
  const does = (behaviour: Parameters<ScriptedUpstream['otherwise']>[0]) => {
    upstream.forget()
    upstream.otherwise(behaviour)
  }
  return {
    url,
    says: (reply) => does(says(reply)),
    refuses: (message) => does(refuses(400, message)),
    failsAfter: (deliveries, reply, message) => does(failsAfter(deliveries, reply, message)),
    get requested() {
      const calls = upstream.calls.filter((call) => protocol.isAside?.(call) !== true)
      return calls.map((call) => ({ model: protocol.modelOf(call), reported: protocol.reported(call) }))
    },
    stop: () => upstream.stop(),
  }
}

const badRequest = 10_163

/** Each call is a connection, whose path holds the model. */
export function overSpark(spark: SparkUpstream): InspectedUpstream {
  let before = 0
  const sends = (messages: readonly object[]) => {
    before = spark.calls.length
    spark.sends(messages)
  }
  return {
    url: spark.url,
    says(reply) {
      before = spark.calls.length
      spark.says(reply)
    },
    refuses: (message) => sends([errorMessage(badRequest, message)]),
    failsAfter: (deliveries, { text = [] }, message) =>
      sends([
        ...text.slice(0, deliveries).map((piece, index) => textMessage(index === 0 ? 0 : 1, index, piece)),
        errorMessage(badRequest, message),
      ]),
    get requested() {
      return spark.calls.slice(before).map(({ path, json }) => ({ model: path, reported: promptIn(json) }))
    },
    stop: async () => spark.stop(),
  }
}

interface SparkPayload {
  readonly message: { readonly text: readonly { readonly role: string; readonly content: string }[] }
  readonly functions?: { readonly text: readonly { readonly name: string }[] }
}

/** Calls and their results are words of the conversation. */
function promptIn({ payload }: Readonly<Record<string, unknown>>): ReceivedPrompt {
  const { message, functions } = payload as SparkPayload
  return {
    tools: (functions?.text ?? []).map(({ name }) => name),
    toolTurns: message.text.flatMap(({ content }, index) => {
      const [, name, text] = /I call the tool (\S+) with (.+)$/.exec(content) ?? []
      const result = /^The tool \S+ gave this result: (.+)$/.exec(message.text[index + 1]?.content ?? '')?.[1]
      return name === undefined || text === undefined || result === undefined
        ? []
        : [{ name, arguments: JSON.parse(text), result }]
    }),
    images: [],
    schema: undefined,
    wantsReasoning: false,
  }
}
