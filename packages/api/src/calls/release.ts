import { z } from 'zod'
import { defineCall } from '../call.ts'

/** The latest release, in the words of code hosts. */
export const latestRelease = z.object({
  tag_name: z.string(),
  /** Release notes, Markdown. */
  body: z.string(),
})
export type LatestRelease = z.output<typeof latestRelease>

export const release = {
  /** Looked up by the server at the address of the option `ReleaseCheckUrl`, and remembered for an hour. */
  latest: defineCall({ method: 'GET', path: '/api/release', access: 'admin', data: latestRelease }),
}
