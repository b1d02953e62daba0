import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormField } from '../../../components/form/index.ts'
import { Select, type SelectOption } from '../../../components/ui/select/select.tsx'
import { Tag } from '../../../components/ui/tag.tsx'
import { ownGroupsQuery } from '../../../lib/api/account.ts'
import { useUser } from '../../../lib/session/session.ts'
import type { TokenFieldProps } from './field-props.ts'
import { ratioEffect, ratioTone } from './ratio.ts'
import { fieldLabels, type TokenForm } from './token-form.ts'

/** Chooses the group whose channels and prices the key uses. */
export function GroupField({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const own = useUser()?.group || 'default'
  const { data: groups, error } = useQuery(ownGroupsQuery)
  const group = form.watch('group')
  const chosen = group || own
  const { ratio, desc = '' } = groups?.[chosen] ?? {}
  const hasChoice = group !== '' || Object.keys(groups ?? {}).some((name) => name !== own)
  const ownOption: SelectOption<string> = {
    value: '',
    label: t('group.default', { group: own }),
    hint: t('group.defaultHint'),
    aside: <RatioTag ratio={groups?.[own]?.ratio} />,
  }
  const others = Object.entries(groups ?? {}).map(([name, { desc, ratio: price }]) => ({
    value: name,
    label: name,
    ...(desc !== '' && desc !== name && { hint: desc }),
    aside: <RatioTag ratio={price} />,
  }))
  const lost = group !== '' && groups !== undefined && !(group in groups)
  return (
    <FormField<TokenForm, string>
      form={form}
      name="group"
      label={t(fieldLabels.group)}
      hint={
        <>
          {error?.message}
          {hasChoice && desc !== '' && desc !== chosen && `${desc} · `}
          <GroupHint ratio={ratio} hasChoice={hasChoice || groups === undefined} own={own} lost={lost} />
        </>
      }
      aside={<RatioTag ratio={ratio} />}
    >
      {({ value, onChange }) => (
        <Select
          value={value}
          onValueChange={onChange}
          options={[ownOption, ...others]}
          disabled={!hasChoice}
        />
      )}
    </FormField>
  )
}

function RatioTag({ ratio }: { readonly ratio: number | undefined }) {
  return ratio === undefined ? null : (
    <Tag tone={ratioTone(ratio)} className="figures">
      ×{ratio}
    </Tag>
  )
}

interface GroupHintProps {
  readonly ratio: number | undefined
  readonly hasChoice: boolean
  readonly own: string
  /** The user can no longer use the group of the key. */
  readonly lost: boolean
}

/** Explains the effect of the choice on the price, or why there is none. */
function GroupHint({ ratio, hasChoice, own, lost }: GroupHintProps) {
  const { t } = useTranslation('tokens')
  if (lost) return <span className="text-warn">{t('group.lost')}</span>
  if (!hasChoice) return <>{t('group.noChoice', { group: own })}</>
  if (ratio === undefined) return null
  const { kind, percent } = ratioEffect(ratio)
  return <>{t(`group.${kind}`, { ratio, percent })}</>
}
