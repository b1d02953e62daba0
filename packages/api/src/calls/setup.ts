import { z } from 'zod'
import { defineCall } from '../call.ts'
import { emptyData } from '../wire.ts'

export const passwordMinLength = 8
export const passwordMaxLength = 128
export const usernameMaxLength = 32

export const setupStatus = z.object({
  /** True once the first administrator exists and setup is done. */
  status: z.boolean(),
  root_init: z.boolean(),
  database_type: z.enum(['sqlite', 'postgres', '']),
  /** Whether this visitor has to show the code that the server printed at its start: one on another machine has. */
  code_required: z.boolean(),
})
export type SetupStatus = z.output<typeof setupStatus>

/** Rules beyond types (lengths, equality) are the use case's, which names each refusal. */
export const setupBody = z.object({
  username: z.string().default(''),
  password: z.string().default(''),
  confirmPassword: z.string().default(''),
  SelfUseModeEnabled: z.boolean().default(false),
  DemoSiteEnabled: z.boolean().default(false),
  /** The set-up code, where it is required. */
  code: z.string().max(64).default(''),
})
export type SetupBody = z.output<typeof setupBody>

export const setup = {
  read: defineCall({ method: 'GET', path: '/api/setup', access: 'public', data: setupStatus }),
  run: defineCall({
    method: 'POST',
    path: '/api/setup',
    access: 'public',
    critical: true,
    body: setupBody,
    data: emptyData,
  }),
}
