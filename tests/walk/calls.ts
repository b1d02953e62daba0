import { expect } from 'bun:test'
import { connect } from 'node:net'
import fc from 'fast-check'
import { type DialectCall, dialectCalls, send } from '../support/dialects/dialect-calls.ts'
import { until } from '../support/until.ts'
import { charge, isServed, type Model } from './model.ts'
import {
  type ChatModel,
  channelsOf,
  chatModels,
  completionRatio,
  imageQuota,
  type Scene,
  sessionIn,
  songQuota,
} from './scene.ts'
import { songOutcomes, type VendorCall } from './vendor.ts'

export type WalkCommand = fc.AsyncCommand<Model, Scene>

/** A command that says what it does in a counterexample. */
export function command(
  name: string,
  options: object,
  run: (model: Model, scene: Scene) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): WalkCommand {
  return { check, run, toString: () => `${name} ${JSON.stringify(options)}` }
}

const dialect = fc.constantFrom(...dialectCalls)
const chatModel = fc.constantFrom(...chatModels)
const counts = fc.record({ input: fc.integer({ min: 1, max: 60 }), output: fc.integer({ min: 1, max: 30 }) })

interface Counted {
  readonly input: number
  readonly output: number
}

const priceOf = (model: Model, { input, output }: Counted) => (input + output * completionRatio) * model.ratio

const vendorCounts = (counted: Counted) => ({ ...counted, cacheRead: 0, cacheWrite: 0, reasoning: 0 })

function bodyOf(caller: DialectCall, model: ChatModel, stream: boolean, mark: string): object {
  return JSON.parse(JSON.stringify(caller.body(model, stream)).replace('Count to three.', mark))
}

const callsOf = ({ vendor }: Scene, mark: string) => vendor.calls.filter((call) => call.mark === mark)

/** Expects the vendor's call to be of that operation, in a format and under a credential of a channel that serves the model. */
function expectRightTarget(
  scene: Scene,
  model: Model,
  chatModel: ChatModel,
  call: VendorCall | undefined,
): void {
  const allowed = channelsOf[chatModel].filter((name) => !model.disabled.has(name))
  const credentials = allowed.map((name) => scene.channels[name].credential)
  expect(credentials).toContain(call?.credential.replace('Bearer ', '') ?? '')
}

/** The balance is what the model says, as soon as everything is settled. */
export async function expectBalance(scene: Scene, model: Model): Promise<void> {
  const read = () => sessionIn(scene).quota()
  const reached = await until(async () => ((await read()) === model.balance ? true : undefined)).catch(
    () => false,
  )
  if (!reached) expect(await read()).toBe(model.balance)
}

/** A call that ends as the state of key, channel and balance says. */
const chat = fc
  .record({ caller: dialect, chatModel, stream: fc.boolean(), counted: counts })
  .map(({ caller, chatModel, stream, counted }) =>
    command('chat', { caller: caller.name, chatModel, stream, counted }, async (model, scene) => {
      const mark = scene.mark()
      scene.vendor.script(mark, { counts: vendorCounts(counted) })
      const response = await send(scene.gateway, caller, chatModel, scene.key.key, {
        stream,
        body: bodyOf(caller, chatModel, stream, mark),
      })
      const text = await response.text()
      const [call] = callsOf(scene, mark)
      if (!model.keyEnabled) expect(response.status).toBe(401)
      else if (!isServed(model, chatModel)) expect(response.status).toBeGreaterThanOrEqual(400)
      else if (model.remaining === undefined) expect(response.status).toBe(200)
      if (response.status !== 200) {
        expect(call).toBeUndefined()
        return
      }
      expect(caller.textIn(text)).toBe(`Hello, ${mark}`)
      expect(call?.operation).toBe('chat')
      expectRightTarget(scene, model, chatModel, call)
      charge(model, Math.min(priceOf(model, counted), model.remaining ?? Number.POSITIVE_INFINITY))
    }),
  )

const countPaths = {
  'walk-claude': () => '/v1/messages/count_tokens',
  'walk-gemini': () => '/v1beta/models/walk-gemini:countTokens',
  'walk-codex': () => '/v1/responses/input_tokens',
} as const

const countBodies = {
  'walk-claude': (mark: string) => ({ model: 'walk-claude', messages: [{ role: 'user', content: mark }] }),
  'walk-gemini': (mark: string) => ({ contents: [{ role: 'user', parts: [{ text: mark }] }] }),
  'walk-codex': (mark: string) => ({ model: 'walk-codex', input: mark }),
} as const

/** Counting tokens asks the vendor's counting address and costs nothing. */
const count = fc.constantFrom(...(Object.keys(countPaths) as (keyof typeof countPaths)[])).map((chatModel) =>
  command('count', { chatModel }, async (model, scene) => {
    const mark = scene.mark()
    const response = await fetch(scene.gateway.url + countPaths[chatModel](), {
      method: 'POST',
      headers: { authorization: `Bearer ${scene.key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(countBodies[chatModel](mark)),
    })
    await response.text()
    if (response.status !== 200) return
    for (const call of callsOf(scene, mark)) {
      expect(call.operation).toBe('count')
      expectRightTarget(scene, model, chatModel, call)
    }
  }),
)

const isRich = (model: Readonly<Model>) => model.keyEnabled && model.remaining === undefined

/** A stream that its caller ends after the first piece is ended at the vendor and charged as delivered. */
const cancel = fc.record({ caller: dialect, chatModel }).map(({ caller, chatModel }) =>
  command(
    'cancel',
    { caller: caller.name, chatModel },
    async (model, scene) => {
      // What other nodes have charged is in the balance once they have written it.
      await expectBalance(scene, model)
      const mark = scene.mark()
      const counted = { input: 20, output: 40 }
      const pieces = Array.from({ length: 40 }, (_, index) => `${mark} ${index} `)
      scene.vendor.script(mark, { counts: vendorCounts(counted), pieces, pieceDelayMs: 5 })
      const hangUp = new AbortController()
      const response = await send(scene.gateway, caller, chatModel, scene.key.key, {
        stream: true,
        body: bodyOf(caller, chatModel, true, mark),
        signal: hangUp.signal,
      })
      expect(response.status).toBe(200)
      const reader = response.body?.getReader()
      await reader?.read()
      hangUp.abort()
      await until(() => (callsOf(scene, mark)[0]?.aborted ? true : undefined))
      const charged = await until(async () => {
        const spent = model.balance - (await sessionIn(scene).quota())
        return spent > 0 ? spent : undefined
      })
      expect(charged).toBeLessThanOrEqual(priceOf(model, { input: 2000, output: 400 }))
      charge(model, charged)
    },
    (model) => isRich(model) && isServed(model, chatModel),
  ),
)

/** A buffered call whose caller resets the connection is charged as if the caller were there. */
const hangUp = fc.record({ chatModel, counted: counts }).map(({ chatModel, counted }) =>
  command(
    'hang up',
    { chatModel, counted },
    async (model, scene) => {
      const mark = scene.mark()
      scene.vendor.script(mark, { counts: vendorCounts(counted), delayMs: 30 })
      const [caller] = dialectCalls
      await sendAndReset(scene, caller.path(chatModel, false), bodyOf(caller, chatModel, false, mark), mark)
      charge(model, priceOf(model, counted))
      await expectBalance(scene, model)
    },
    (model) => isRich(model) && isServed(model, chatModel),
  ),
)

/** Resets the connection as soon as the vendor has the call. */
async function sendAndReset(scene: Scene, path: string, body: object, mark: string): Promise<void> {
  const { hostname, port } = new URL(scene.gateway.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const text = JSON.stringify(body)
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${scene.key.key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
  await until(() => callsOf(scene, mark)[0])
  socket.resetAndDestroy()
}

/** Images are charged as made, not as ordered. */
const image = fc
  .record({ ordered: fc.integer({ min: 1, max: 4 }), made: fc.integer({ min: 1, max: 4 }) })
  .map(({ ordered, made }) =>
    command(
      'image',
      { ordered, made },
      async (model, scene) => {
        const mark = scene.mark()
        const imagesMade = Math.min(ordered, made)
        scene.vendor.script(mark, { imagesMade })
        const response = await post(scene, '/v1/images/generations', {
          model: 'walk-image',
          prompt: mark,
          n: ordered,
        })
        expect(response.status).toBe(200)
        const { data } = (await response.json()) as { data: unknown[] }
        expect(data).toHaveLength(imagesMade)
        charge(model, imagesMade * imageQuota)
      },
      (model) => isRich(model) && isServed(model, 'walk-gpt'),
    ),
  )

function post(scene: Scene, path: string, body: object): Promise<Response> {
  return fetch(scene.gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.key.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** A vendor that fails is replaced by the other channel of the model; the call is charged once. */
const failOver = fc.record({ caller: dialect, counted: counts }).map(({ caller, counted }) =>
  command(
    'fail over',
    { caller: caller.name, counted },
    async (model, scene) => {
      const mark = scene.mark()
      scene.vendor.script(mark, { counts: vendorCounts(counted), failures: 1 })
      const response = await send(scene.gateway, caller, 'walk-gpt', scene.key.key, {
        body: bodyOf(caller, 'walk-gpt', false, mark),
      })
      expect(response.status).toBe(200)
      await response.text()
      const calls = callsOf(scene, mark)
      expect(calls.map(({ paid }) => paid)).toEqual([false, true])
      expect(new Set(calls.map(({ credential }) => credential)).size).toBe(2)
      charge(model, priceOf(model, counted))
    },
    (model) => isRich(model) && channelsOf['walk-gpt'].every((name) => !model.disabled.has(name)),
  ),
)

/** A key with a budget never pays for more than that, however many calls come at once. */
const burst = fc
  .record({ caller: dialect, chatModel, counted: counts })
  .map(({ caller, chatModel, counted }) =>
    command(
      'burst',
      { caller: caller.name, chatModel, counted },
      async (model, scene) => {
        await expectBalance(scene, model)
        const served = await Promise.all(
          Array.from({ length: 5 }, async (_, index) => {
            const mark = scene.mark()
            const stream = index % 2 === 0
            scene.vendor.script(mark, { counts: vendorCounts(counted) })
            const body = bodyOf(caller, chatModel, stream, mark)
            const response = await send(scene.gateway, caller, chatModel, scene.key.key, { stream, body })
            await response.text()
            return response.status === 200
          }),
        )
        for (const isCharged of served) {
          const left = model.remaining ?? Number.POSITIVE_INFINITY
          if (isCharged) charge(model, Math.min(priceOf(model, counted), left))
        }
        if (model.remaining === undefined) expect(served).not.toContain(false)
      },
      (model) => model.keyEnabled && isServed(model, chatModel),
    ),
  )

/** A field that changes the vendor's price and has no price here reaches no vendor, and costs nothing. */
const costlyField = fc.constantFrom('priority', 'flex').map((service_tier) =>
  command(
    'costly field',
    { service_tier },
    async (model, scene) => {
      const mark = scene.mark()
      const [caller] = dialectCalls
      const response = await post(scene, caller.path('walk-gpt', false), {
        ...bodyOf(caller, 'walk-gpt', false, mark),
        service_tier,
      })
      expect(response.status).toBe(400)
      expect(await response.text()).toContain('service_tier')
      expect(callsOf(scene, mark)).toEqual([])
      await expectBalance(scene, model)
    },
    (model) => isRich(model) && isServed(model, 'walk-gpt'),
  ),
)

const songEnds = { made: 'SUCCESS', failed: 'FAILURE', lost: 'FAILURE', odd: undefined } as const

/**
 * A song is held when it is ordered, and ends as the vendor says, whatever comes before and after it. One with an
 * unknown status stays open, and its hold with it.
 */
const song = fc.constantFrom(...songOutcomes).map((fate) =>
  command(
    'song',
    { fate },
    async (model, scene) => {
      const mark = scene.mark()
      const id = `song-${mark}`
      scene.vendor.songs.set(id, fate)
      const response = await post(scene, '/suno/submit/music', { prompt: mark })
      expect(response.status).toBe(200)
      if (fate === 'made') charge(model, songQuota)
      else model.forgiven += 1
      if (fate === 'odd') model.balance -= songQuota
      else await untilSongEnds(scene, id, songEnds[fate])
      await expectBalance(scene, model)
    },
    isRich,
  ),
)

function untilSongEnds(scene: Scene, id: string, end: string): Promise<true> {
  return until(async () => {
    const [task] = await sessionIn(scene).api<{ status: string }[]>('GET', `/api/task/self?task_id=${id}`)
    return task?.status === end ? true : undefined
  }, 10_000)
}

export const quickCalls = [chat, chat, count, cancel, hangUp, image, failOver, burst, costlyField] as const
export const songCalls = [song] as const
