import { modelCapabilities } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { ListFilters } from '../../components/list/list-filters.tsx'
import type { Pricing } from '../../lib/api/pricing.ts'
import type { pricingSearch } from './search.ts'

type PricingSearch = ReturnType<typeof pricingSearch>

interface PricingFiltersProps {
  readonly pricing: Pricing | undefined
  readonly search: PricingSearch
  /** The group whose prices are visible; `undefined` for the reader's own. */
  readonly group: string | undefined
  readonly onChange: (part: Partial<PricingSearch>) => void
}

/** Filters by vendor, group and capability. */
export function PricingFilters({ pricing, search, group, onChange }: PricingFiltersProps) {
  const { t } = useTranslation('pricing')
  const rows = pricing?.rows ?? []
  const chosen: Readonly<Record<string, string | undefined>> = {
    vendor: search.vendor,
    capability: search.capability,
    group,
  }
  const vendors = [...new Set(rows.map(({ owner_by }) => owner_by))].filter((name) => name !== '').sort()
  const held = new Set(rows.flatMap(({ capabilities = [] }) => capabilities))
  return (
    <ListFilters
      chosenOf={(name) => chosen[name]}
      onChange={(name, value) => onChange({ [name]: value })}
      filters={[
        {
          name: 'vendor',
          label: t('column.vendor'),
          placeholder: t('filter.search'),
          choices: vendors.map((name) => ({ value: name, label: name })),
        },
        {
          name: 'capability',
          label: t('filter.capability'),
          placeholder: t('filter.search'),
          choices: modelCapabilities
            .filter((name) => held.has(name))
            .map((name) => ({ value: name, label: t(`capability.${name}`) })),
        },
        {
          name: 'group',
          label: t('filter.group'),
          placeholder: t('filter.search'),
          choices: Object.entries(pricing?.group_ratio ?? {}).map(([name, ratio]) => ({
            value: name,
            label: `${name} × ${ratio}`,
          })),
        },
      ]}
    />
  )
}
