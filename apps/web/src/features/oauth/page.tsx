import '../../styles/pages.css'
import { mutationOptions, useMutation } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type CallInput, calls } from '@tollgate/api'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeStep } from '../../components/sign-in/code-step.ts'
import { Skeleton } from '../../components/ui/states.tsx'
import { ApiError, request, requestWithMessage } from '../../lib/api/api-client.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { isProviderProof, reportProof } from '../../lib/session/reauthentication.ts'
import { currentUser, storeUser } from '../../lib/session/session.ts'
import { toast } from '../../lib/toast.ts'
import { isCodeProvider, type OAuthProvider } from './search.ts'

const route = getRouteApi('/plain/oauth/$provider')

/** Hands what the provider said to the server, once, and goes on from there. */
export function OauthPage(): ReactNode {
  const { provider } = route.useParams()
  const [isProof] = useState(() => isProviderProof(provider))
  return isProof && isCodeProvider(provider) ? <ProofPage provider={provider} /> : <SignInPage />
}

function SignInPage(): ReactNode {
  const { t } = useTranslation('login')
  const router = useRouter()
  const { provider } = route.useParams()
  const query = route.useSearch()
  const [asksCode, setAsksCode] = useState(false)
  const { mutateAsync } = useMutation(finishSignIn)
  const started = useRef(false)
  usePageTitle(t('title'))

  useEffect(() => {
    if (started.current || !isCodeProvider(provider)) return
    started.current = true
    const goTo = (path: string) => router.history.replace(path)
    mutateAsync({ provider, query }).then(
      ({ data, message }) => {
        if (message === 'bind') {
          toast.success(t('bound'))
          goTo('/setting')
        } else if (data !== undefined && 'require_2fa' in data) {
          setAsksCode(true)
        } else if (data !== undefined) {
          storeUser(data)
          toast.success(t('welcome'))
          goTo('/token')
        }
      },
      (error: Error) => {
        const isRefusal = error instanceof ApiError && error.status !== 0 && error.status < 500
        toast.error(isRefusal ? error.message : t('failed'))
        goTo(isRefusal && currentUser() ? '/setting' : '/login')
      },
    )
  }, [provider, query, mutateAsync, router, t])

  return (
    <div className="mx-auto flex w-full max-w-[360px] flex-1 flex-col justify-center gap-4 px-4 py-10 sm:pb-[18dvh]">
      {asksCode ? (
        <Suspense>
          <CodeStep onLoggedIn={() => router.history.replace('/token')} />
        </Suspense>
      ) : (
        <div aria-busy className="flex flex-col gap-3">
          <p role="status" className="text-center text-muted">
            {t('processing')}
          </p>
          <Skeleton className="h-8!" />
        </div>
      )}
    </div>
  )
}

/** The tab in which a provider confirmed the user again: reports to the tab that opened it, and closes. */
function ProofPage({ provider }: { readonly provider: OAuthProvider }): ReactNode {
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

interface ProviderCallback {
  readonly provider: OAuthProvider
  readonly query: CallInput<typeof calls.oauth.github>['query']
}

const callbacks = {
  github: calls.oauth.github,
  oidc: calls.oauth.oidc,
  linuxdo: calls.oauth.linuxdo,
} as const

const finishSignIn = mutationOptions({
  mutationFn: ({ provider, query }: ProviderCallback) => requestWithMessage(callbacks[provider], { query }),
  meta: { silent: true },
})

/** The same response, as a proof for a user who is logged in. */
const finishProof = mutationOptions({
  mutationFn: ({ provider, query }: ProviderCallback) =>
    request(calls.proofs.byCodeProvider, { params: { provider }, body: query }),
  meta: { silent: true },
})
