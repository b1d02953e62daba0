import { join } from 'node:path'
import { createVault } from '../apps/server/src/lib/crypto.ts'
import { masterSecrets } from '../apps/server/src/lib/master-secret.ts'
import { openStore } from '../apps/server/src/store/engine/open/open-store.ts'
import type { Task } from '../apps/server/src/store/work/tasks.ts'
import { startGateway } from './gateway.ts'
import { loadCore, processorSeconds, startPinned } from './processes.ts'
import { atMost, type Figure } from './report.ts'
import { sized } from './sized.ts'

const openTasks = sized(10_000, 40)
const channels = 4
/** A round takes 15 s. */
const warmUpMs = sized(20_000, 300)
const measuredMs = sized(60_000, 1000)

interface Requested {
  readonly questions: number
  readonly minPauseMs: number
}

/** Measures the cost of polling many open tasks, and how often their upstreams are polled. */
export async function taskFigures(directory: string): Promise<Figure[]> {
  const upstream = await startTaskUpstream()
  const dataDir = join(directory, 'tasks')
  const filled = await startGateway(dataDir)
  const ids: number[] = []
  for (let index = 0; index < channels; index += 1) ids.push(await addDrawingChannel(filled, index, upstream))
  await filled.stop()
  await fill(dataDir, ids)
  const gateway = await startGateway(dataDir)
  await Bun.sleep(warmUpMs)
  const before = processorSeconds(gateway.pid)
  await Bun.sleep(measuredMs)
  const share = ((processorSeconds(gateway.pid) - before) / (measuredMs / 1000)) * 100
  await gateway.stop()
  const requested = Object.values((await (await fetch(upstream)).json()) as Record<string, Requested>)
  const questions = requested.reduce((sum, each) => sum + each.questions, 0)
  const pause = Math.min(...requested.map(({ minPauseMs }) => minPauseMs)) / 1000
  const detail = `${questions} questions to ${channels} channels, at least ${pause.toFixed(1)} s apart`
  return [atMost('One core while 10,000 open tasks are asked about', share, 5, ' %', detail)]
}

async function startTaskUpstream(): Promise<string> {
  const child = startPinned(loadCore, [process.execPath, 'bench/task-upstream.ts'])
  const port = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (data: Buffer) => resolve(String(data).trim())),
  )
  return `http://127.0.0.1:${port}`
}

async function addDrawingChannel(
  gateway: Awaited<ReturnType<typeof startGateway>>,
  index: number,
  baseUrl: string,
): Promise<number> {
  const { id } = await gateway.api<{ id: number }>('POST', '/api/channel/', {
    name: `drawings ${index}`,
    type: 2,
    key: secretOf(index),
    base_url: baseUrl,
    models: 'mj_imagine',
  })
  return id
}

function secretOf(channel: number): string {
  return `secret-${channel}`
}

/** Fills a stopped gateway's store. */
async function fill(dataDir: string, channelIds: readonly number[]): Promise<void> {
  const vault = createVault(masterSecrets(dataDir, {}).secret)
  const store = await openStore({ dataDir, logger: { warn: () => {} } })
  const keyHashes = channelIds.map((_, index) => vault.hash(secretOf(index)))
  await store.transaction(async (tx) => {
    for (let index = 0; index < openTasks; index += 1) {
      const position = index % channelIds.length
      await tx.tasks.create(openTask(index, channelIds[position] ?? 0, keyHashes[position] ?? ''))
    }
  })
  await store.close()
}

function openTask(index: number, channelId: number, keyHash: string): Omit<Task, 'id'> {
  const id = `13200981734${100_000 + index}`
  const now = Date.now()
  return {
    platform: 'mj',
    action: 'IMAGINE',
    upstreamId: id,
    reference: id,
    upstreamModel: 'mj_imagine',
    keyHash,
    userId: 1,
    tokenId: 0,
    channelId,
    group: 'default',
    model: 'mj_imagine',
    holdId: '',
    quota: 50_000,
    charge: '',
    status: 'SUBMITTED',
    progress: 0,
    submittedMs: now,
    startedMs: 0,
    finishedMs: 0,
    updatedMs: now,
    prompt: 'a lighthouse in a storm',
    failReason: '',
    result: '',
    properties: '',
  }
}
