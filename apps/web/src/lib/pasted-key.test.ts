import { expect, it } from 'bun:test'
import { isWholeKey } from './pasted-key.ts'

it('takes complete keys for secrets, and names, request ids and parts of keys for what they are', () => {
  const bare = 'aB3'.repeat(16)
  for (const key of [
    bare,
    `sk-${bare}`,
    ` Bearer sk-${bare} `,
    `sk-${bare}-7`,
    'sk-proj-imported_KEY-of-another',
  ])
    expect([key, isWholeKey(key)]).toEqual([key, true])
  for (const text of [
    '',
    'sk-',
    'sk-abcd…wxyz',
    'laptop',
    bare.slice(1),
    `${bare}0`,
    '2026112918532000000000012aB3dE6g',
  ])
    expect([text, isWholeKey(text)]).toEqual([text, false])
})
