import { describe, expect, it } from 'bun:test'
import { unitTestSteps } from './unit-tests.mjs'

const plain = 'scripts/lib/run.test.ts'
const component = 'apps/web/src/features/nodes/page.component.test.tsx'
const namesOf = (files: string[]) => unitTestSteps({}, files).shared.map(({ name }) => name)

describe('the steps of unit tests', () => {
  it('give tests of components processes of their own', () => {
    expect(namesOf([plain, component])).toEqual(['unit tests', 'component tests'])
    expect(namesOf([component])).toEqual(['component tests'])
    expect(namesOf([plain])).toEqual(['unit tests'])
  })
})
