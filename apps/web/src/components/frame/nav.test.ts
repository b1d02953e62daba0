import { describe, expect, it } from 'bun:test'
import { adminPartNames, roles } from '@tollgate/api'
import { navFor } from './nav.ts'

const flags = { enable_data_export: true, enable_drawing: true, enable_task: true, enable_status_page: true }

describe('the menu', () => {
  it.each([
    ['a user', roles.common],
    ['an administrator', roles.admin],
    ['root', roles.root],
  ])('has a key of its own for each page of %s', (_, role) => {
    const groups = navFor({ role, parts: adminPartNames, flags })
    const letters = groups.flatMap(({ entries }) => entries.map(({ letter }) => letter))
    expect(letters.filter((letter, index) => letters.indexOf(letter) !== index)).toEqual([])
  })
})
