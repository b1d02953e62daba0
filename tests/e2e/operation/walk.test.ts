import { afterAll, beforeAll, describe, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { startAlone } from '../../walk/installation.ts'
import { startWorld, type World } from '../../walk/scene.ts'
import { walk } from '../../walk/walks.ts'

setDefaultTimeout(deadline(3_600_000))

/** Given by `npm run walk`; the suite always takes the same walks. */
const { WALK_SEED = '22', WALK_RUNS = '200' } = process.env
const seed = Number(WALK_SEED)
const runs = Number(WALK_RUNS)

let world: World

beforeAll(async () => {
  world = await startWorld(await startAlone())
})
afterAll(() => world?.stop())

describe('calls and changes in any order, on one channel and one account', () => {
  it('never pay a vendor more often than they are charged, nor reach what another of them prepared', async () => {
    await walk(world, { seed, runs: Math.ceil(runs * 0.85), kind: 'quick' })
  })

  it('do so with songs, new passwords, bans and crashes among them', async () => {
    await walk(world, { seed, runs: Math.ceil(runs * 0.15), kind: 'slow' })
  })
})
