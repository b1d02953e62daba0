import { describe, expect, it } from 'bun:test'
import { runSteps } from './run-steps.mjs'

/** A step that takes a while, and notes when it runs. */
function stepsThatNote() {
  const running = new Set<string>()
  const seenTogether: string[][] = []
  const step = (name: string, ms: number, { failed = 0, alone = false, until = Promise.resolve() } = {}) => ({
    name,
    alone,
    command: `run ${name}`,
    async run() {
      running.add(name)
      seenTogether.push([...running])
      await Bun.sleep(ms)
      await until
      running.delete(name)
      return { passed: 1 - failed, failed, skipped: [], output: `output of ${name}\n` }
    },
  })
  return { step, seenTogether }
}

const passed = { passed: 1, failed: 0, skipped: [], output: '' }

async function printed(steps: Parameters<typeof runSteps>[0], show: 'first' | 'all' = 'first') {
  const lines: string[] = []
  const totals = await runSteps(steps, { show, workers: 2, print: (text) => lines.push(text) })
  return { lines: lines.map((line) => line.replace(/ +(\d+ passed.*)?[\d.]+ s$/, '')), totals }
}

describe('runSteps', () => {
  it('runs as many side by side as there are workers', async () => {
    const { step, seenTogether } = stepsThatNote()
    await printed([step('a', 20), step('b', 20), step('c', 1)])
    expect(seenTogether.map((names) => names.length)).toEqual([1, 2, 2])
  })

  it('runs one more for each look that finds an idle core, up to a limit, and one less where none is idle', async () => {
    const running: (() => void)[] = []
    const together: number[] = []
    const step = {
      name: 'a',
      command: 'run a',
      async run() {
        const { promise, resolve } = Promise.withResolvers<void>()
        together.push(running.push(resolve))
        await promise
        return passed
      },
    }
    const idle = [1, 0.2, 1, 1, 0]
    await runSteps(
      Array.from({ length: 6 }, () => ({ ...step })),
      {
        show: 'all',
        print: () => {},
        workers: 1,
        maxWorkers: 3,
        // Once all looks are taken, each of the next ends the step that started first.
        idleCores() {
          const cores = idle.shift()
          if (cores === undefined) running.shift()?.()
          return cores ?? 0.2
        },
        lookMs: 1,
      },
    )
    expect(together).toEqual([1, 2, 3, 2, 2, 2])
  })

  it('prints a line for each in their order, whichever ends first', async () => {
    const { step } = stepsThatNote()
    const { lines, totals } = await printed([step('slow', 30), step('quick', 1), step('third', 1)])
    expect(lines).toEqual(['✓ slow', '✓ quick', '✓ third'])
    expect(totals).toEqual({ passed: 3, failed: 0, skipped: [] })
  })

  it('prints those that failed first, with the output of the first and how to run the others', async () => {
    const { step } = stepsThatNote()
    const steps = [step('a', 1), step('b', 1, { failed: 1 }), step('c', 1), step('d', 1, { failed: 1 })]
    const { lines, totals } = await printed(steps)
    expect(lines).toEqual(['✗ b', '    output of b', '✗ d', '    run alone: run d', '✓ a', '✓ c'])
    expect(totals).toMatchObject({ passed: 2, failed: 2 })
    expect((await printed(steps, 'all')).lines).toContain('    output of d')
  })

  it('prints the figures of a step that passed', async () => {
    const { step } = stepsThatNote()
    const withFigures = { ...step('a', 1), run: async () => ({ ...passed, figures: '0 circles' }) }
    expect((await printed([withFigures])).lines).toEqual(['✓ a', '    0 circles'])
  })

  it('starts a step when those that it comes after have ended, whether they passed or not', async () => {
    const { step, seenTogether } = stepsThatNote()
    const last = step('c', 1)
    const others = Promise.withResolvers<void>()
    const build = step('build', 0, { failed: 1, until: others.promise })
    const suite = { ...step('suite', 1), after: [build] }
    await printed([build, suite, step('b', 1), { ...last, run: () => last.run().finally(others.resolve) }])
    expect(seenTogether).toEqual([['build'], ['build', 'b'], ['build', 'c'], ['suite']])
  })

  it('prints each as it ends where every output is shown', async () => {
    const { step } = stepsThatNote()
    const lines: string[] = []
    const totals = await runSteps([step('slow', 30), step('quick', 1)], {
      show: 'all',
      workers: 2,
      print: (text) => lines.push(text),
    })
    expect(lines.map((line) => line.slice(0, 7))).toEqual(['✓ quick', '✓ slow '])
    expect(totals).toEqual({ passed: 2, failed: 0, skipped: [] })
  })

  it('counts a step that cannot run as a failure, says why and runs the others', async () => {
    const { step } = stepsThatNote()
    const broken = { ...step('broken', 1), run: () => Promise.reject(new Error('the disk is full')) }
    const { lines, totals } = await printed([broken, step('a', 1), { ...broken, alone: true }])
    expect(lines[0]).toBe('✗ broken')
    expect(lines[1]).toContain('the disk is full')
    expect(lines).toContain('✓ a')
    expect(totals).toMatchObject({ passed: 1, failed: 2 })
  })

  it('runs what may be unsteady and failed once more, alone, and counts the second result', async () => {
    const { step, seenTogether } = stepsThatNote()
    const results = [1, 0]
    const mayBeUnsteady = true
    const unsteady = {
      ...step('unsteady', 5),
      mayBeUnsteady,
      run: () => step('unsteady', 5, { failed: results.shift() ?? 0 }).run(),
    }
    const lines: string[] = []
    const broken = { ...step('broken', 1, { failed: 1 }), mayBeUnsteady }
    const steps = [unsteady, step('slow', 20), broken, step('types', 1, { failed: 1 })]
    const totals = await runSteps(steps, {
      show: 'all',
      workers: 2,
      print: (text) => lines.push(text),
      maxAgain: 2,
    })
    expect(totals).toEqual({ passed: 2, failed: 2, skipped: [], unsteady: ['unsteady'] })
    expect(lines.filter((line) => line.startsWith('runs again'))).toEqual([
      'runs again, alone: unsteady',
      'runs again, alone: broken',
    ])
    expect(seenTogether.slice(-2)).toEqual([['unsteady'], ['broken']])
  })

  it('runs nothing again where more failed than chance explains', async () => {
    const { step } = stepsThatNote()
    const failing = (name: string) => ({ ...step(name, 1, { failed: 1 }), mayBeUnsteady: true })
    const steps = [failing('a'), failing('b')]
    const totals = await runSteps(steps, { show: 'all', print: () => {}, maxAgain: 1 })
    expect(totals).toEqual({ passed: 0, failed: 2, skipped: [] })
  })

  it('runs nothing beside a step that must be alone, and those last, in turn', async () => {
    const { step, seenTogether } = stepsThatNote()
    const alone = { alone: true }
    const { lines } = await printed([
      step('m1', 5, alone),
      step('a', 10),
      step('m2', 5, alone),
      step('b', 10),
    ])
    expect(lines).toEqual(['✓ a', '✓ b', '✓ m1', '✓ m2'])
    expect(seenTogether.slice(2)).toEqual([['m1'], ['m2']])
  })
})
