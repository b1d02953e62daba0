export * from './clock.ts'
export * from './detached-copy.ts'
export * from './get-or-insert.ts'
export * from './linked-list.ts'
