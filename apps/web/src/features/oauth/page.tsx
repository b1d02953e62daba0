import '../../styles/pages.css'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeForm } from '../../components/sign-in/code-form.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { ApiError } from '../../lib/api-client.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { isProviderProof } from '../../lib/proving.ts'
import { currentUser, storeUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { finishSignIn } from './api.ts'
import { ProofPage } from './proof-page.tsx'
import { isCodeProvider } from './search.ts'

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
        <CodeForm onLoggedIn={() => router.history.replace('/token')} />
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
