import { expect, it } from 'bun:test'
import { Refusal } from '../../lib/refusal.ts'
import { parseOperations } from './parse-operations.ts'

function refusalOf(operations: unknown): string {
  try {
    parseOperations(operations)
    return 'taken'
  } catch (error) {
    if (error instanceof Refusal) return `${error.code}: ${error.publicMessage('en')}`
    throw error
  }
}

it.each<[unknown, string]>([
  [{}, 'channel_operations_not_list'],
  [null, 'channel_operations_not_list'],
  [Array.from({ length: 101 }, () => ({ mode: 'delete', path: 'a' })), 'channel_operations_not_list'],
  [['set'], 'channel_operation_mode'],
  [[{ mode: 'regex_replace', path: 'a' }], 'channel_operation_mode'],
  [[{ mode: 'constructor', path: 'a' }], 'channel_operation_mode'],
  [[{ mode: 'set', path: 'a' }], 'channel_operation_field: Operation 1 of the parameter override: value'],
  [[{ mode: 'set', value: 1 }], 'channel_operation_field: Operation 1 of the parameter override: path'],
  [[{ mode: 'set', path: 'a..b', value: 1 }], 'channel_operation_field'],
  [
    [
      { mode: 'set', path: 'a', value: 1 },
      { mode: 'move', from: 'a' },
    ],
    'channel_operation_field: Operation 2 of the parameter override: to',
  ],
  [[{ mode: 'copy', to: 'a' }], 'channel_operation_field'],
  [[{ mode: 'trim_prefix', path: 'a', value: '' }], 'channel_operation_field'],
  [[{ mode: 'replace', path: 'a', from: '', to: 'b' }], 'channel_operation_field'],
  [[{ mode: 'replace', path: 'a', from: 'b', to: 1 }], 'channel_operation_field'],
  [[{ mode: 'set', path: 'a', value: 1, logic: 'XOR' }], 'channel_operation_field'],
  [[{ mode: 'set', path: 'a', value: 1, keep_origin: 'yes' }], 'channel_operation_field'],
  [[{ mode: 'set', path: 'stream', value: true }], 'channel_param_override_stream'],
  [[{ mode: 'move', from: 'stream', to: 'a' }], 'channel_param_override_stream'],
  [[{ mode: 'delete', path: 'a', conditions: {} }], 'channel_operation_condition'],
  [
    [{ mode: 'delete', path: 'a', conditions: [{ path: 'b', mode: 'like', value: 1 }] }],
    'channel_operation_condition',
  ],
  [[{ mode: 'delete', path: 'a', conditions: [{ path: 'b', mode: 'full' }] }], 'channel_operation_condition'],
  [[{ mode: 'delete', path: 'a', conditions: [{ path: 'b', mode: 'full', value: null }] }], 'taken'],
])('answers %j with %s', (operations, expected) => expect(refusalOf(operations)).toStartWith(expected))
