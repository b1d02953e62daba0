import { queryOptions, useQuery } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../lib/api/api-client.ts'
import { readLocal, writeLocal } from '../../lib/browser/local-store.ts'

const texts = {
  home_page_content: calls.status.homePage,
  about: calls.status.about,
} as const

/** Reads the operator's text for a page: the last known text at once, then the current one. */
export function usePublicText(name: keyof typeof texts) {
  return useQuery(
    queryOptions({
      queryKey: ['public-text', name],
      queryFn: async ({ signal }) => {
        const text = await request(texts[name], { signal })
        if (readLocal(name) !== text) writeLocal(name, text)
        return text
      },
      placeholderData: () => readLocal(name) ?? undefined,
    }),
  )
}
