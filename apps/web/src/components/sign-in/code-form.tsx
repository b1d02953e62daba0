import { mutationOptions, useMutation } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { request } from '../../lib/api/api-client.ts'
import { storeUser } from '../../lib/session/session.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field/field.tsx'
import { Input } from '../ui/field/input.tsx'

const finishLogin = mutationOptions({
  mutationFn: (body: { readonly code: string }) => request(calls.secondFactor.login, { body }),
  meta: { silent: true },
})

/** The second step of a login: the code of the authenticator, or a recovery code. */
export function CodeForm({ onLoggedIn }: { readonly onLoggedIn: () => void }): ReactNode {
  const { t } = useTranslation('login')
  const [code, setCode] = useState('')
  const { mutateAsync, isPending, error } = useMutation(finishLogin)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const user = await mutateAsync({ code }).catch(() => undefined)
    if (!user) return
    storeUser(user)
    onLoggedIn()
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 rounded-lg border bg-surface p-5">
      <p className="text-muted text-sm">{t('codeHint')}</p>
      <Field label={t('code')}>
        <Input
          name="code"
          autoComplete="one-time-code"
          autoFocus
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      {error && (
        <p role="alert" className="text-bad text-sm">
          {error.message}
        </p>
      )}
      <Button type="submit" variant="primary" loading={isPending} className="w-full">
        {t('submit')}
      </Button>
    </form>
  )
}
