import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type AdminPart, adminPartNames, adminParts, calls, type ListedUser, roles } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Checkbox } from '../../../components/ui/field/choice.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { isRoot, useUser } from '../../../lib/session/session.ts'
import { userLists } from '../api.ts'

interface PartsProps {
  readonly user: ListedUser
}

/** Lets root choose the parts of an administrator. */
export function Parts({ user }: PartsProps) {
  return isRoot(useUser()) && user.role === roles.admin ? <PartsChoice user={user} /> : null
}

function PartsChoice({ user }: PartsProps) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const { admin_parts: stored = [] } = user
  const [chosen, choose] = useState<readonly AdminPart[]>(stored)
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      request(calls.userAdmin.setParts, { params: { id: user.id }, body: { parts: [...chosen] } }),
    onSuccess: (response) => userLists.saved(client, response),
    meta: { successMessage: t('parts.done', { name: user.username }) },
  })
  const toggle = (part: AdminPart, isChosen: boolean) =>
    choose(adminPartNames.filter((one) => (one === part ? isChosen : chosen.includes(one))))
  const isChanged = adminPartNames.some((part) => chosen.includes(part) !== stored.includes(part))
  return (
    <fieldset className="border-t pt-4">
      <legend className="float-left w-full font-semibold text-sm">{t('parts.title')}</legend>
      <p className="clear-both mb-3 text-muted text-xs">{t('parts.hint')}</p>
      <div className="flex flex-col gap-1">
        {adminPartNames.map((part) => (
          <Checkbox
            key={part}
            checked={chosen.includes(part)}
            onCheckedChange={(isChosen) => toggle(part, isChosen)}
            label={t(`parts.name.${part}`)}
            hint={adminParts[part].byDefault ? undefined : t(`parts.hintOf.${part as RootPart}`)}
          />
        ))}
      </div>
      <Button className="mt-3" disabled={!isChanged} loading={isPending} onClick={() => mutate()}>
        {t('parts.save')}
      </Button>
    </fieldset>
  )
}

/** Root's until it gives them. */
type RootPart = {
  [Part in AdminPart]: (typeof adminParts)[Part]['byDefault'] extends true ? never : Part
}[AdminPart]
