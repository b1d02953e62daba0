import { describe, expect, it } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import cores from '../../bench/fleet/cores.json'
import { coreNeeds, coreTable, growthTable } from '../../bench/fleet/cores-table.ts'
import costs from '../../bench/fleet/costs.json'
import { costTable, needOf, needTable } from '../../bench/fleet/scaling.ts'
import { simulate } from '../../bench/fleet/simulate.ts'

const traffic = { callsPerSecond: 10_000, nodes: 3, accounts: 100_000 }

describe('the simulation', () => {
  it('writes fewer rows for a call the more calls a group has', () => {
    const slow = simulate({ callsPerSecond: 100, nodes: 3, accounts: 1000, sticky: false })
    const fast = simulate({ ...traffic, sticky: false })
    expect(slow.group).toBe(7)
    expect(fast.group).toBe(6667)
    expect(slow.rowsPerCall).toBeGreaterThan(6)
    expect(fast.rowsPerCall).toBeLessThan(slow.rowsPerCall / 2)
  })

  it('has a node meet fewer new accounts when the calls of a key go to one node', () => {
    const any = simulate({ ...traffic, sticky: false })
    const own = simulate({ ...traffic, sticky: true })
    expect(own.coldPerSecond).toBeLessThan(any.coldPerSecond)
  })
})

describe('docs/scaling.md', () => {
  const text = readFileSync(join(import.meta.dir, '../../docs/scaling.md'), 'utf8')

  it('has the tables that follow from the measured costs', () => {
    expect(text).toContain(costTable(costs))
    expect(text).toContain(needTable(costs))
    expect(text).toContain(coreTable(cores, costs))
    expect(text).toContain(growthTable(cores))
  })

  it('derives no more calls of a machine than its cores serve alone, and more of more cores', () => {
    const needs = coreNeeds(cores, costs)
    for (const { cores: count, atLeast, atMost } of needs) {
      expect(atLeast).toBeLessThanOrEqual(atMost)
      expect(atMost).toBeLessThanOrEqual((count * 1e6) / costs.full.nodeUs)
    }
    const atLeast = needs.map((need) => need.atLeast)
    expect(atLeast).toEqual(atLeast.toSorted((one, other) => one - other))
  })

  it('counts no fewer nodes and bytes at a higher rate', () => {
    const needs = [1000, 10_000, 100_000].map((rate) => needOf(rate, costs))
    for (const pick of ['nodes', 'walMegabytesPerSecond', 'logGigabytesPerDay', 'databaseCores'] as const)
      expect(needs.map((need) => need[pick])).toEqual(
        needs.map((need) => need[pick]).toSorted((a, b) => a - b),
      )
  })
})
