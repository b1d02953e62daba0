/** SQL of the ids of the accounts whose belongings one has, over any number of merges. */
export function mergedFromSql(id: number): string {
  if (!Number.isSafeInteger(id)) throw new RangeError(`not an id: ${id}`)
  return `with recursive merged (id) as (
      select from_id from merged_accounts where into_id = ${id}
      union
      select from_id from merged_accounts join merged on into_id = merged.id
    ) select id from merged order by id`
}
