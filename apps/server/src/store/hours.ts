/**
 * Every hour of a time as a row. Rollups of one account are looked up hour by hour: the keys of their tables start with
 * the hour, so that flushes write at their end.
 */
export const hours = `with recursive hours(hour) as (
    select cast(? as bigint) union all select hour + 3600 from hours where hour + 3600 <= ?
  )`
