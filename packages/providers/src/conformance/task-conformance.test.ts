import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RequestFault } from '@tollgate/formats'
import type { Provider, Target } from '../provider.ts'
import { providers } from '../registry.ts'
import type { OpenTask, TaskReport, TaskRequest, TaskState, VideoOrder, VideoService } from '../task.ts'
import {
  anyMetadata,
  anyOrders,
  chargedMetadata,
  mutations,
  plainOrder,
} from '../test-support/video-order-samples.ts'

/** See `fixtures/README.md`. */
interface Scenario {
  readonly model: string
  readonly channel?: Partial<Target>
  readonly order: Partial<VideoOrder>
  readonly sent: ExpectedRequest
  readonly terms: { readonly seconds: number; readonly resolution: string }
  readonly accepted: unknown
  readonly reference: string
  readonly polls: readonly Poll[]
  readonly content?: ExpectedRequest
}

interface ExpectedRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

interface Poll {
  readonly requested: ExpectedRequest
  readonly answer: unknown
  /** Report of the poll; without one its response leads to the next request. */
  readonly report?: Partial<TaskReport>
}

interface RefusedOrder {
  readonly model: string
  readonly order: Partial<VideoOrder>
  readonly param: string
  /** Values that the message lists. */
  readonly takes: readonly string[]
}

const baseUrl = 'http://127.0.0.1:9'
const base: Target = { baseUrl, key: 'ak|sk', upstreamModel: 'm', openaiOrganization: '', other: '' }
const orderOf = (stated: Partial<VideoOrder>): VideoOrder => ({ ...plainOrder, ...stated })
const targetOf = ({ model, channel }: Pick<Scenario, 'model' | 'channel'>): Target => ({
  ...base,
  upstreamModel: model,
  ...channel,
})
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

function videoFiles({ id }: Provider): readonly string[] {
  const folder = join(import.meta.dir, '../vendors', id, 'fixtures')
  return readdirSync(folder)
    .filter((name) => /^video-.*\.json$/.test(name))
    .map((name) => join(folder, name))
}

const scenariosOf = (provider: Provider): readonly Scenario[] =>
  videoFiles(provider)
    .filter((file) => !file.endsWith('video-refused.json'))
    .map(readJson)
const refusedOf = (provider: Provider): readonly RefusedOrder[] =>
  videoFiles(provider)
    .filter((file) => file.endsWith('video-refused.json'))
    .flatMap(readJson)

function serviceOf(provider: Provider, model: string): VideoService {
  const service = provider.tasks?.video?.(model)
  if (service === undefined) throw new Error(`${provider.id} makes no videos with ${model}`)
  return service
}

function checkRequest(
  request: Omit<TaskRequest, 'body'> & { readonly body?: string },
  requested: ExpectedRequest,
): void {
  expect(request.url).toBe(baseUrl + requested.path)
  expect(request.method ?? 'POST').toBe(requested.method as 'POST')
  expect(request.headers).toMatchObject(requested.headers ?? {})
  expect(request.body ? JSON.parse(request.body) : undefined).toEqual(requested.body)
}

function checkPolls({ polling }: VideoService, task: OpenTask, life: Scenario): void {
  const target = targetOf(life)
  let question = polling.question([task], target)
  for (const { requested, answer, report } of life.polls) {
    checkRequest(question, requested)
    const read = polling.read(answer, [task], target)
    expect(read).toBeDefined()
    if (read === undefined) continue
    if ('next' in read) {
      expect(report).toBeUndefined()
      question = read.next
      continue
    }
    expect(read.reports.get(task.reference)).toMatchObject(report ?? { state: 'never: it led on' })
    question = polling.question([task], target)
  }
}

const states: readonly TaskState[] = ['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE']

/** Checks a report against the interface, whatever it was read from. */
function checkReport(service: VideoService, report: TaskReport): void {
  expect(states).toContain(report.state)
  const { progress = 0, startedMs = 1, finishedMs = 1, failReason = '' } = report
  expect(progress >= 0 && progress <= 100).toBe(true)
  expect([startedMs, finishedMs].every((time) => Number.isFinite(time) && time > 0)).toBe(true)
  expect(typeof failReason).toBe('string')
  expect(report.state === 'FAILURE').toBe(failReason !== '')
  if (report.state === 'SUCCESS') expect(hasVideo(service, report)).toBe(true)
  else expect(report.properties?.url).toBeUndefined()
}

/** Bytes that are fetched with the key need not have an address. */
function hasVideo({ content }: VideoService, { properties }: TaskReport): boolean {
  return properties?.url === undefined ? content !== undefined : /^https?:\/\//.test(String(properties.url))
}

function checkAcceptance(service: VideoService, life: Scenario): void {
  const sent = service.submit(orderOf(life.order), targetOf(life))
  for (const body of mutations(life.accepted)) expect(service.reference(body, sent)).not.toBe('')
}

function checkResponses(service: VideoService, answer: unknown, life: Scenario): void {
  const task = { reference: life.reference, model: life.model }
  for (const body of mutations(answer)) {
    const read = service.polling.read(body, [task], targetOf(life))
    if (read === undefined) continue
    if ('next' in read) expect(read.next.url).toStartWith(baseUrl)
    else for (const report of read.reports.values()) checkReport(service, report)
  }
}

function submitted(service: VideoService, order: VideoOrder, target: Target): TaskRequest | RequestFault {
  try {
    return service.submit(order, target)
  } catch (fault) {
    if (fault instanceof RequestFault) return fault
    throw fault
  }
}

const publicFields = /^(prompt|seconds|size|input_reference|mode|seed|negative_prompt|model|metadata(\..+)?)$/
function checkOrder(service: VideoService, order: VideoOrder, target: Target): void {
  const request = submitted(service, order, target)
  if (request instanceof RequestFault) {
    expect(request.param).toMatch(publicFields)
    expect(request.message.length).toBeGreaterThan(10)
    return
  }
  expect(request.url).toStartWith(baseUrl)
  expect(typeof JSON.parse(request.body)).toBe('object')
  const { seconds, resolution } = service.terms(order, target)
  expect(Number.isFinite(seconds) && seconds > 0).toBe(true)
  expect(resolution).toMatch(/^([1-9]\d*p|\dk)$/)
  if (order.seconds !== undefined) expect(seconds).toBe(order.seconds)
}

/** A field that is refused, wherever it stands; what it goes with may be refused for it. */
const paramWith = (name: string) =>
  expect.stringMatching(new RegExp(`\\b${name}\\b|^(mode|seconds|size|metadata\\.size)$`))
const videoProviders = providers.filter((provider) => provider.tasks?.video !== undefined)

it('finds providers that make videos', () => {
  expect(videoProviders.map(({ id }) => id)).toContain('sora')
})

describe.each(videoProviders.map(({ id }) => id))('videos of %s', (id) => {
  const provider = videoProviders.find((candidate) => candidate.id === id)
  if (provider === undefined) throw new Error(`no provider ${id}`)
  const lives = scenariosOf(provider)

  it('has fixtures of a text, of an image, of every state, and of orders that are refused', () => {
    const counts = lives.map(({ order }) => order.images?.length ?? 0)
    expect([counts.includes(0), counts.includes(1)]).toEqual([true, true])
    const seen = new Set(lives.flatMap(({ polls }) => polls.map(({ report }) => report?.state)))
    expect([...seen]).toContain('IN_PROGRESS')
    expect([...seen]).toContain('SUCCESS')
    expect([...seen]).toContain('FAILURE')
    expect(refusedOf(provider).length).toBeGreaterThan(0)
  })

  it('orders as the vendor documents it, and prices what was ordered', () => {
    for (const life of lives) {
      const service = serviceOf(provider, life.model)
      const order = orderOf(life.order)
      checkRequest(service.submit(order, targetOf(life)), life.sent)
      expect(service.terms(order, targetOf(life))).toEqual(life.terms)
    }
  })

  it('follows a task from its submission to its end', () => {
    for (const life of lives) {
      const service = serviceOf(provider, life.model)
      const sent = service.submit(orderOf(life.order), targetOf(life))
      const reference = service.reference(life.accepted, sent)
      expect(reference).toBe(life.reference)
      const task = { reference: life.reference, model: life.model }
      checkPolls(service, task, life)
      const url = String(life.polls.findLast(({ report }) => report?.properties)?.report?.properties?.url)
      const content = service.content?.(task, url, targetOf(life))
      expect(content === undefined).toBe(life.content === undefined)
      if (content !== undefined && life.content !== undefined) checkRequest(content, life.content)
    }
  })

  it('refuses by the public name of the field, with what could be said instead', () => {
    for (const { model, order, param, takes } of refusedOf(provider)) {
      const service = serviceOf(provider, model)
      const fault = submitted(service, orderOf(order), targetOf({ model }))
      expect([order, fault instanceof RequestFault && fault.param]).toEqual([order, param])
      for (const value of takes) expect((fault as RequestFault).message).toContain(value)
    }
  })

  it('takes any order or refuses it by name, and prices what it takes', () => {
    for (const { model, channel } of lives) {
      const life = { model, ...(channel && { channel }) }
      for (const order of [...anyOrders(), ...anyMetadata()])
        checkOrder(serviceOf(provider, model), order, targetOf(life))
    }
  })

  it('prices every field of its own that the vendor charges by, or refuses it by name', () => {
    for (const life of lives)
      for (const [name, metadata] of chargedMetadata()) {
        const service = serviceOf(provider, life.model)
        const order = orderOf({ ...life.order, metadata: { ...life.order.metadata, ...metadata } })
        const request = submitted(service, order, targetOf(life))
        if (request instanceof RequestFault) expect([name, request.param]).toEqual([name, paramWith(name)])
        else {
          const terms = service.terms(order, targetOf(life))
          const isSound = /audio|sound/i.test(name) && terms.sound !== undefined
          expect([name, isSound || !Bun.deepEquals(terms, life.terms)]).toEqual([name, true])
        }
      }
  })

  it("sends fields of the upstream's own as they are, but never another model", () => {
    for (const life of lives) {
      const service = serviceOf(provider, life.model)
      const stolen = { model: 'stolen', model_name: 'stolen', req_key: 'stolen' }
      const metadata = { ...life.order.metadata, ...stolen, own_field: { a: [1] } }
      const { url, body } = service.submit({ ...orderOf(life.order), metadata }, targetOf(life))
      expect(url).toBe(baseUrl + life.sent.path)
      expect(body).toContain('"own_field":{"a":[1]}')
      const sent = (life.sent.body ?? {}) as Record<string, unknown>
      for (const name of Object.keys(stolen))
        if (name in sent) expect(JSON.parse(body)[name]).toBe(sent[name])
    }
  })

  it('distinguishes an unknown task from every other failure', () => {
    const kindOf = (status: number, body: string) => provider.decodeError({ status, headers: {}, body }).kind
    expect(kindOf(404, '{"error":{"message":"no such task"}}')).toBe('not_found')
    for (const status of [500, 502, 503]) expect(kindOf(status, 'out of order')).not.toBe('not_found')
    expect(kindOf(401, '{"error":{"message":"no"}}')).toBe('unauthorized')
    expect(kindOf(429, '{"error":{"message":"no"}}')).toBe('rate_limited')
  })

  it('reads whatever it is answered, and never takes for finished what has no video', () => {
    for (const life of lives) {
      checkAcceptance(serviceOf(provider, life.model), life)
      for (const { answer } of life.polls) checkResponses(serviceOf(provider, life.model), answer, life)
    }
  })
})
