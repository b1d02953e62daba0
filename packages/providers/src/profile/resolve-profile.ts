import { nameTest } from '../models/name-pattern.ts'
import type { Column, ModelFamily, ProviderProfile, TargetProfile } from './target-profile.ts'

type Columns = keyof TargetProfile
type ValueOf<Name extends Columns> = Exclude<TargetProfile[Name], string>['value']

/** The columns that hold for one model, without their sources; absent where nothing is known, or nothing is there. */
export type ResolvedProfile = { readonly [Name in Columns]?: ValueOf<Name> }

interface TestedFamily {
  readonly matches: (model: string) => boolean
  readonly columns: Partial<TargetProfile>
}

/** Makes the function that finds what holds for a model: the provider's columns, each replaced by the last family that has it. */
export function profileResolver(profile: ProviderProfile): (model: string) => ResolvedProfile {
  const { families = [], modes: _modes, effortSuffix: _suffix, ...columns } = profile
  const tested = families.map(testedFamily)
  return (model) => {
    const found = tested.filter(({ matches }) => matches(model)).map((family) => family.columns)
    return known(Object.assign({}, columns, ...found) as TargetProfile) // Families hold columns alone.
  }
}

function testedFamily({ models, except, ...columns }: ModelFamily): TestedFamily {
  return {
    matches: nameTest({ names: models, ...(except && { except }), anyCase: true }),
    columns,
  }
}

function known(columns: TargetProfile): ResolvedProfile {
  const entries = Object.entries(columns) as readonly [string, Column<unknown> | 'none'][] // Every member is a column.
  return Object.fromEntries(
    entries.flatMap(([name, column]) => (typeof column === 'string' ? [] : [[name, column.value]])),
  )
}
