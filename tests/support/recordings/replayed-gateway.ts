import type { AgentRequest } from '../dialects/agent-requests.ts'
import { type Operator, operate } from '../operator.ts'
import type { Counts, ReceivedCall } from '../protocols/protocol.ts'
import { startTollgate, type Tollgate, type TollgateOptions } from '../server.ts'
import { type Chunking, chunkings } from './chunkings.ts'
import { recordedCounts } from './counts.ts'
import type { Exchange } from './exchanges.ts'
import { type ReplayingUpstream, startReplayingUpstream } from './replaying-upstream.ts'
import { type RecordedAsk, requestFor } from './requests.ts'
import { listedFee, type RecordedTools, recordedTools } from './tools.ts'
import { type RecordedVendor, recordedVendors } from './vendors.ts'

/** A gateway with a channel for every vendor, each of which replays its recordings. */
export interface ReplayedGateway {
  readonly gateway: Tollgate
  readonly operator: Operator
  /** The caller's key without its prefix. */
  readonly secret: string
  /** Sends the request of a recorded exchange, and reads the response to its end. */
  replay(exchange: Exchange, options?: ReplayOptions): Promise<Replayed>
  /** The same with any request, at the vendor's channel. */
  ask(request: AgentRequest, vendor: RecordedVendor, reply: Reply, chunking?: Chunking): Promise<Replayed>
  /** The same however often the upstream is called. */
  send(request: AgentRequest, vendor: RecordedVendor, reply: Reply, options?: SendOptions): Promise<Served>
  /** The vendor's counts of each served call, by the id of the request. */
  readonly counted: ReadonlyMap<string, Counted>
  stop(): Promise<void>
}

/** Counts that a vendor charges for. */
export interface Counted {
  readonly counts: Counts
  readonly tools: RecordedTools
}

/** Reply of the vendor. */
export type Reply = Pick<Exchange, 'name' | 'status' | 'isStream' | 'frames'>

export interface SendOptions {
  readonly chunking?: Chunking
  /** Key of the caller; by default the one that the gateway was set up with. */
  readonly key?: string
  /** See the upstream's. */
  readonly isAnnounced?: boolean
}

export interface ReplayOptions extends Partial<RecordedAsk> {
  readonly chunking?: Chunking
  /** Instead of the recorded one's. */
  readonly path?: string
}

export interface Served {
  /** Calls as the upstream got them. */
  readonly calls: readonly ReceivedCall[]
  readonly response: Response
  readonly text: string
}

export interface Replayed extends Omit<Served, 'calls'> {
  readonly sent: string
  /** Call as the upstream got it. */
  readonly call: ReceivedCall
}

/** Served under this name, and asked for upstream under its own. */
export const aliasOf = (model: string) => `our-${model.replaceAll('/', '-')}`

/** The cheapest token costs one unit. */
const ratios = { ModelRatio: 4, CompletionRatio: 5, CacheRatio: 0.25, CreateCacheRatio: 1.25 }

/**
 * Returns the charge of tokens by `ratios`, and of tools by the vendors' price lists.
 * @param model as it was asked for: an alias has no price for tools
 * @param completionRatio that of the log row: vendors' own names may have one that no option changes
 */
export function chargeOf({ counts, tools }: Counted, model: string, completionRatio: number): number {
  const { input, cacheRead, cacheWrite, output } = counts
  const tokens = 4 * input + cacheRead + 5 * cacheWrite + 4 * completionRatio * output
  const fees = Object.entries(tools).map(([tool, calls]) => calls * (listedFee(model, tool) ?? 0) * 500)
  return Math.round(fees.reduce((sum, fee) => sum + fee, tokens))
}

/** @param options another build of the program, by default the present one */
export async function startReplayedGateway(
  exchanges: readonly Exchange[],
  options: Pick<TollgateOptions, 'program'> = {},
): Promise<ReplayedGateway> {
  const gateway = await startTollgate({ ...options, env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  const operator = await operate(gateway.url)
  const upstream = await startReplayingUpstream()
  const { key } = await operator.addKey()
  await priceAll(operator, exchanges)
  const channels = await addChannels(operator, upstream, exchanges)
  const counted = new Map<string, Counted>()

  const send: ReplayedGateway['send'] = async (request, vendor, reply, options = {}) => {
    const { frames, name, isStream, status } = reply
    const { chunking = 'buffered', key: callerKey = key, isAnnounced } = options
    const contentType = isStream ? 'text/event-stream' : 'application/json'
    const pieces = chunkings[chunking](frames, name)
    upstream.replies({ status, contentType, pieces, ...(isAnnounced !== undefined && { isAnnounced }) })
    const response = await fetch(gateway.url + request.path, {
      method: 'POST',
      headers: { ...request.headers, authorization: `Bearer ${callerKey}-${channels.get(vendor)}` },
      body: request.body,
    })
    return { calls: upstream.calls, response, text: await response.text() }
  }
  const ask: ReplayedGateway['ask'] = async (request, vendor, reply, chunking = 'buffered') => {
    const { calls, response, text } = await send(request, vendor, reply, { chunking })
    const [call, ...others] = calls
    if (call === undefined || others.length > 0)
      throw new Error(`${calls.length} calls for one: ${response.status} ${text}`)
    return { sent: request.body, call, response, text }
  }

  return {
    gateway,
    operator,
    secret: key.replace(/^sk-/, ''),
    counted,
    ask,
    send,
    async replay(exchange, { chunking, path, ...requested } = {}) {
      const { model, isStream, vendor } = exchange
      const request = requestFor(exchange, { model, includeUsage: isStream, ...requested })
      const replayed = await ask({ ...request, path: path ?? request.path }, vendor, exchange, chunking)
      const counts = recordedCounts(exchange)
      const id = replayed.response.headers.get('x-request-id') ?? ''
      if (counts !== undefined) counted.set(id, { counts, tools: recordedTools(exchange) })
      return replayed
    },
    async stop() {
      await gateway.stop()
      await upstream.stop()
    },
  }
}

async function priceAll(operator: Operator, exchanges: readonly Exchange[]): Promise<void> {
  const models = exchanges.flatMap(({ model }) => [model, aliasOf(model)])
  for (const [option, ratio] of Object.entries(ratios))
    await operator.option(option, JSON.stringify(Object.fromEntries(models.map((model) => [model, ratio]))))
}

async function addChannels(
  operator: Operator,
  { url }: ReplayingUpstream,
  exchanges: readonly Exchange[],
): Promise<ReadonlyMap<RecordedVendor, number>> {
  const added = recordedVendors.map(async (vendor) => {
    const { folder: name, channelType: type, key, other = '', host = '' } = vendor
    const own = exchanges.filter((each) => each.vendor === vendor)
    const models = [...new Set(own.map(({ model }) => model))]
    const { id } = await operator.addChannel({
      name,
      type,
      key,
      other,
      base_url: `${url}/${name}${host}`,
      // What was recorded with a vendor's tools is asked for with them.
      setting: '{"allow_hosted_tools":true}',
      models: models.flatMap((model) => [model, aliasOf(model)]).join(),
      model_mapping: JSON.stringify(Object.fromEntries(models.map((model) => [aliasOf(model), model]))),
    })
    return [vendor, id] as const
  })
  return new Map(await Promise.all(added))
}
