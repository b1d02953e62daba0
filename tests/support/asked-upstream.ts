import { errorMessage, type SparkUpstream, textMessage } from './spark-upstream.ts'
import type { Scripted, Told } from './upstream-protocol.ts'
import { failsAfter, refuses, type ScriptedUpstream, says } from './upstream-scripted.ts'

/** An upstream of any transport: what it is to do with the next calls, and what they told it. */
export interface AskedUpstream {
  readonly url: string
  says(answer: Scripted): void
  /** As it refuses what is wrong with a request. */
  refuses(message: string): void
  /** Fails after that many events with content. */
  failsAfter(deliveries: number, answer: Scripted, message: string): void
  /** The calls since it was last told what to do. */
  readonly asked: readonly Asked[]
  stop(): Promise<void>
}

export interface Asked {
  readonly model: string
  readonly told: Told
}

export function overHttp(upstream: ScriptedUpstream): AskedUpstream {
  const { protocol, url } = upstream
  const does = (behaviour: Parameters<ScriptedUpstream['otherwise']>[0]) => {
    upstream.forget()
    upstream.otherwise(behaviour)
  }
  return {
    url,
    says: (answer) => does(says(answer)),
    refuses: (message) => does(refuses(400, message)),
    failsAfter: (deliveries, answer, message) => does(failsAfter(deliveries, answer, message)),
    get asked() {
      const calls = upstream.calls.filter((call) => protocol.isAside?.(call) !== true)
      return calls.map((call) => ({ model: protocol.modelOf(call), told: protocol.told(call) }))
    },
    stop: () => upstream.stop(),
  }
}

const badRequest = 10_163

/** Calls are connections, the model stands in their paths. */
export function overSpark(spark: SparkUpstream): AskedUpstream {
  let before = 0
  const sends = (messages: readonly object[]) => {
    before = spark.calls.length
    spark.sends(messages)
  }
  return {
    url: spark.url,
    says(answer) {
      before = spark.calls.length
      spark.says(answer)
    },
    refuses: (message) => sends([errorMessage(badRequest, message)]),
    failsAfter: (deliveries, { text = [] }, message) =>
      sends([
        ...text.slice(0, deliveries).map((piece, place) => textMessage(place === 0 ? 0 : 1, place, piece)),
        errorMessage(badRequest, message),
      ]),
    get asked() {
      return spark.calls.slice(before).map(({ path, json }) => ({ model: path, told: toldIn(json) }))
    },
    stop: async () => spark.stop(),
  }
}

interface SparkPayload {
  readonly message: { readonly text: readonly { readonly role: string; readonly content: string }[] }
  readonly functions?: { readonly text: readonly { readonly name: string }[] }
}

/** Calls and their results are words of the conversation. */
function toldIn({ payload }: Readonly<Record<string, unknown>>): Told {
  const { message, functions } = payload as SparkPayload
  return {
    tools: (functions?.text ?? []).map(({ name }) => name),
    toolTurns: message.text.flatMap(({ content }, place) => {
      const [, name, text] = /I call the tool (\S+) with (.+)$/.exec(content) ?? []
      const result = /^The tool \S+ gave this result: (.+)$/.exec(message.text[place + 1]?.content ?? '')?.[1]
      return name === undefined || text === undefined || result === undefined
        ? []
        : [{ name, arguments: JSON.parse(text), result }]
    }),
    images: [],
    schema: undefined,
    wantsThoughts: false,
  }
}
