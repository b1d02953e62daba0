import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, type ListedUser } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { confirm } from '../../../lib/confirm.ts'
import { isRoot, useUser } from '../../../lib/session/session.ts'
import { userLists } from '../api.ts'

interface MergeProps {
  readonly user: ListedUser
}

/** Makes another account of the same person part of this one; root alone may. */
export function Merge({ user }: MergeProps) {
  return isRoot(useUser()) ? <MergeFields user={user} /> : null
}

function MergeFields({ user: { id, username: name } }: MergeProps) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const { mutate, isPending } = useMutation({
    mutationFn: (from: number) => request(calls.userAdmin.merge, { params: { id }, body: { from } }),
    async onSuccess(response) {
      setText('')
      userLists.saved(client, response)
      await userLists.refresh(client)
    },
    meta: { successMessage: t('merge.done', { name }) },
  })

  async function start(): Promise<void> {
    const from = /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : id
    setProblem(from === id ? t('merge.noNumber') : undefined)
    if (from === id) return
    const question = { title: t('merge.title', { name }), description: t('merge.description', { name }) }
    if (await confirm({ ...question, confirmLabel: t('merge.confirm'), danger: true })) mutate(from)
  }

  return (
    <section aria-label={t('action.merge')} className="flex flex-col gap-2 border-t pt-4">
      <h3 className="font-semibold text-sm">{t('action.merge')}</h3>
      <Field label={t('merge.field')} error={problem}>
        <Input inputMode="numeric" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Button className="self-start" loading={isPending} onClick={() => void start()}>
        {t('merge.confirm')}
      </Button>
    </section>
  )
}
