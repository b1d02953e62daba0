import { describe, expect, it } from 'bun:test'
import { buildSteps, checkSteps, completeSteps, unitSteps } from './checks.mjs'

const names = (steps: readonly { readonly name: string }[]) => steps.map(({ name }) => name)
const builds = buildSteps()
const unit = ['unit tests', 'component tests', 'unit tests that measure']

describe('the check', () => {
  it('runs no test and no build', () => {
    const check = names(checkSteps())
    expect(check.filter((name) => [...unit, ...names(builds)].includes(name))).toEqual([])
    expect(check).toContain('format and lint')
    expect(check.filter((name) => name.startsWith('types of ')).length).toBeGreaterThan(8)
  })
})

describe('a complete run', () => {
  it('holds all of the check, all unit tests and the builds, each once', () => {
    const all = names(completeSteps({}, builds))
    expect(all.toSorted()).toEqual([...names(builds), ...unit, ...names(checkSteps())].toSorted())
  })

  it('begins with the builds, which the others wait for, as a run of the unit tests does', () => {
    expect(names(completeSteps({}, builds)).slice(0, builds.length)).toEqual(names(builds))
    expect(names(unitSteps({}, builds))).toEqual([...names(builds), ...unit])
  })
})
