import { z } from 'zod'
import { defineCall } from '../call.ts'
import { emptyData } from '../wire.ts'

/** Values are text on the wire. Booleans and numbers are accepted and read as their text. */
export const optionBody = z.object({
  key: z.string().min(1).max(200),
  value: z
    .union([z.string(), z.boolean(), z.number()])
    .optional()
    .transform((value) => (value === undefined ? undefined : String(value))),
})

/** Which options a caller sees and may write is decided per key by the settings catalogue. */
export const options = {
  list: defineCall({
    method: 'GET',
    path: '/api/option/',
    access: 'admin',
    data: z.array(z.object({ key: z.string(), value: z.string() })),
  }),
  set: defineCall({
    method: 'PUT',
    path: '/api/option/',
    access: 'admin',
    body: optionBody,
    data: emptyData,
  }),
  resetModelRatio: defineCall({
    method: 'POST',
    path: '/api/option/rest_model_ratio',
    access: 'root',
    data: emptyData,
  }),
}
