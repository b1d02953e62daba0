import { afterAll, beforeAll, describe, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { hasPostgres } from '../../support/postgres.ts'
import { startFleet } from '../../walk/installation.ts'
import { startWorld, type World } from '../../walk/scene.ts'
import { walk } from '../../walk/walks.ts'

setDefaultTimeout(deadline(3_600_000))

/** Given by `npm run walk -- --nodes 3`; the suite always takes the same few walks. */
const { WALK_SEED = '24', WALK_RUNS = '14' } = process.env
const seed = Number(WALK_SEED)
const runs = Number(WALK_RUNS)

describe.skipIf(!hasPostgres())('calls and changes in any order, each at any of three nodes', () => {
  let world: World

  beforeAll(async () => {
    world = await startWorld(await startFleet())
  })
  afterAll(() => world?.stop(), deadline(60_000))

  it('never pay a vendor more often than they are charged, nor reach what another of them prepared', async () => {
    await walk(world, { seed, runs: Math.ceil(runs * 0.85), kind: 'quick' })
  })

  it('do so with songs, new passwords, bans and crashes among them', async () => {
    await walk(world, { seed, runs: Math.ceil(runs * 0.15), kind: 'slow' })
  })
})
