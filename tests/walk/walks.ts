import { expect } from 'bun:test'
import fc from 'fast-check'
import { until } from '../support/until.ts'
import { expectBalance, quickCalls, songCalls, type WalkCommand } from './calls.ts'
import { quickChanges, slowChanges } from './changes.ts'
import { firstModel, type Model } from './model.ts'
import { createScene, type Scene, sessionIn, type World, worldAt } from './scene.ts'

export interface Walks {
  readonly seed: number
  readonly runs: number
  /** Walks that order songs, change passwords and crash take seconds each. */
  readonly kind: 'quick' | 'slow'
}

/** Steps of one walk at most. */
const maxCommands = 16

const stepsOf = {
  quick: { calls: quickCalls, changes: quickChanges },
  slow: { calls: [...quickCalls, ...songCalls], changes: [...quickChanges, ...slowChanges] },
} as const satisfies Record<Walks['kind'], object>

/** The steps of a walk: each at any of the nodes, and none before every node has taken up the changes made before it. */
function commandsOf({ gateways }: World, kind: Walks['kind']): fc.Arbitrary<WalkCommand>[] {
  const { calls, changes } = stepsOf[kind]
  const positions = fc.nat({ max: gateways.length - 1 })
  const anywhere = (step: fc.Arbitrary<WalkCommand>, isChange: boolean) =>
    fc.tuple(step, positions).map(([command, position]) => commandAt(command, position, isChange))
  return [...calls.map((step) => anywhere(step, false)), ...changes.map((step) => anywhere(step, true))]
}

function commandAt(command: WalkCommand, position: number, isChange: boolean): WalkCommand {
  return {
    check: (model) => command.check(model),
    async run(model, scene) {
      await command.run(model, worldAt(scene, position))
      if (isChange) await scene.crossed()
    },
    toString: () => `${command} at node ${position}`,
  }
}

/** Generated walks over calls and changes; a failure is shrunk to the shortest walk that still fails, and printed. */
export async function walk(world: World, { seed, runs, kind }: Walks): Promise<void> {
  const walks = fc.commands(commandsOf(world, kind), { maxCommands })
  const property = fc.asyncProperty(walks, async (commands) => {
    const scene = await createScene(world)
    try {
      const model = firstModel(await sessionIn(scene).quota())
      await fc.asyncModelRun(() => ({ model, real: scene }), commands)
      await expectAuditToPass(model, scene)
    } finally {
      await scene.leave()
    }
  })
  await fc.assert(property, { seed, numRuns: runs })
  for (const gateway of world.gateways) {
    const audit = await gateway.run('audit')
    expect(audit.output).toContain('adds up')
    expect(audit.code).toBe(0)
  }
}

interface Row {
  readonly quota: number
}

async function expectAuditToPass(model: Model, scene: Scene): Promise<void> {
  const { books, operators, key, vendor } = scene
  const [operator] = operators
  const path = `/api/log/?type=2&page_size=100&p=1&token_name=${encodeURIComponent(key.name)}`
  const rows = async () => (await operator.api<{ items: Row[] }>('GET', path)).items
  const ascending = (one: number, other: number) => one - other
  const expected = model.charges.toSorted(ascending)
  const found = await until(async () => {
    const charged = (await rows()).map(({ quota }) => quota)
    return charged.length >= expected.length ? charged : undefined
  })
  expect(found.toSorted(ascending)).toEqual(expected)
  const walkMarks = new RegExp(`^mark-${key.name.replace('walk ', '')}-`)
  const paid = vendor.calls.filter((call) => call.paid && walkMarks.test(call.mark))
  expect(paid.length).toBe(expected.length + model.forgiven)
  await expectBalance(scene, model)
  expect(await books.audit.findings()).toEqual([])
}
