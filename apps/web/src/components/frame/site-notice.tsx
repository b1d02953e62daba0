import { useQuery } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { type ReactNode, Suspense } from 'react'
import { request } from '../../lib/api/api-client.ts'
import { statusQuery } from '../../lib/api/status.ts'
import { useLocal, writeLocal } from '../../lib/browser/local-store.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'

const NoticeDialog = lazyComponent(() => import('./notice-dialog.tsx'), 'NoticeDialog')

/** The operator's notice: each browser shows each wording of it once. */
export function SiteNotice(): ReactNode {
  const read = useLocal('notice') ?? ''
  const { data: status } = useQuery(statusQuery)
  const { data: text = '' } = useQuery({
    queryKey: ['notice'],
    enabled: status?.has_notice === true,
    queryFn: ({ signal }) => request(calls.status.notice, { signal }),
    staleTime: 60_000,
    retry: false,
    meta: { silent: true },
  })
  if (text === '' || text === read) return null
  return (
    <Suspense>
      <NoticeDialog text={text} onClose={() => writeLocal('notice', text)} />
    </Suspense>
  )
}
