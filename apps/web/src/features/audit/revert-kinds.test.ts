import { expect, it } from 'bun:test'
import { type RevertQuestion, revertQuestions } from '@tollgate/api/revert-questions'
import { revertKind } from './api.ts'

/** Kinds of changes by which the console asks each question, of an option that charges; none where the revert itself asks, or nobody. */
const kinds: Readonly<Record<RevertQuestion, ReturnType<typeof revertKind>>> = {
  option: 'price',
  price: 'price',
  channel: 'channels',
  group: 'group',
  'new-group': 'removed-group',
  users: undefined,
  nothing: undefined,
}

it('asks before each revert what the gateway says of it, and nothing where that asks nothing', () => {
  for (const [action, question] of Object.entries(revertQuestions))
    expect([action, revertKind({ action, target_name: 'ModelRatio', before: '' })]).toEqual([
      action,
      kinds[question],
    ])
})
