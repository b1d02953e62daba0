import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { hasPasskeys } from '../../lib/passkey.ts'
import { storeUser } from '../../lib/session.ts'
import { loginByPasskey } from './login-providers-api.ts'

/** The device says who is there; no second factor is asked for. */
export function PasskeyButton({ onLoggedIn }: { readonly onLoggedIn: () => void }): ReactNode {
  const { t } = useTranslation('login')
  const { mutate, isPending, error } = useMutation({
    ...loginByPasskey,
    onSuccess(user) {
      if (!user) return
      storeUser(user)
      onLoggedIn()
    },
  })
  if (!hasPasskeys()) return null
  return (
    <>
      <Button icon={Fingerprint} loading={isPending} className="w-full" onClick={() => mutate()}>
        {t('passkey')}
      </Button>
      {error && (
        <p role="alert" className="text-bad text-sm">
          {error.message}
        </p>
      )}
    </>
  )
}
