import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageTitle } from '../../lib/page-title.ts'
import { reportProof } from '../../lib/proving.ts'
import { finishProof } from './api.ts'
import type { OAuthProvider } from './search.ts'

const route = getRouteApi('/plain/oauth/$provider')

/** The tab in which a provider said once more who somebody is: it tells the one that asked, and closes. */
export function ProofPage({ provider }: { readonly provider: OAuthProvider }): ReactNode {
  const { t } = useTranslation(['login', 'stepUp'])
  const query = route.useSearch()
  const started = useRef(false)
  const { mutate, error, isSuccess } = useMutation({
    ...finishProof,
    onSuccess() {
      reportProof()
      window.close()
    },
  })
  usePageTitle(t('stepUp:title'))
  useEffect(() => {
    if (started.current) return
    started.current = true
    mutate({ provider, query })
  }, [provider, query, mutate])
  return (
    <div className="mx-auto flex w-full max-w-[360px] flex-1 flex-col justify-center gap-4 px-4 py-10 sm:pb-[18dvh]">
      {error ? (
        <p role="alert" className="text-center text-bad">
          {error.message}
        </p>
      ) : (
        <p role="status" className="text-center text-muted">
          {t(isSuccess ? 'stepUp:done' : 'processing')}
        </p>
      )}
      {error && <p className="text-center text-muted text-sm">{t('stepUp:closeTab')}</p>}
    </div>
  )
}
