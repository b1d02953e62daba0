import { useQuery } from '@tanstack/react-query'
import type { UserGroups } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { FormField } from '../../../components/form/index.ts'
import { Checkbox } from '../../../components/ui/choice.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { Tag } from '../../../components/ui/tag.tsx'
import { groupsQuery } from '../api.ts'
import { GroupTag } from '../group-tag.tsx'
import { ratioTone } from './ratio-tone.ts'
import type { SettingFieldsProps } from './setting-fields.ts'
import type { SettingForm } from './setting-form.ts'

/** Which models one accepts to pay for, and what each group makes of their prices. */
export function PriceFields({ form }: Pick<SettingFieldsProps, 'form'>) {
  const { t } = useTranslation('personal')
  return (
    <div className="flex flex-col gap-4">
      <FormField<SettingForm, boolean> form={form} name="acceptsUnpriced" label={t('price.unpriced')}>
        {({ value, onChange }) => (
          <Checkbox
            checked={value}
            onCheckedChange={onChange}
            label={t('price.acceptUnset')}
            hint={t('price.acceptUnsetHint')}
          />
        )}
      </FormField>
      <QueryBoundary query={useQuery(groupsQuery)}>
        {(groups) => <GroupTable groups={groups} />}
      </QueryBoundary>
    </div>
  )
}

function GroupTable({ groups }: { readonly groups: UserGroups }) {
  const { t } = useTranslation('personal')
  return (
    <table className="w-full table-fixed text-left text-sm">
      <caption className="pb-1.5 text-left font-medium text-sm">{t('price.groups')}</caption>
      <thead className="border-b text-muted text-xs">
        <tr>
          <th scope="col" className="py-1.5 font-medium">
            {t('price.group')}
          </th>
          <th scope="col" className="py-1.5 font-medium">
            {t('price.description')}
          </th>
          <th scope="col" className="w-20 py-1.5 text-right font-medium">
            {t('price.ratio')}
          </th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(groups).map(([name, { ratio, desc }]) => (
          <tr key={name} className="border-b last:border-b-0">
            <td className="py-2 pr-3">
              <GroupTag group={name} />
            </td>
            <td className="break-words py-2 pr-3 text-muted">{desc}</td>
            <td className="py-2 text-right">
              <Tag tone={ratioTone(ratio)} className="figures">
                {t('price.times', { ratio })}
              </Tag>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
