import { type GenericSchema, string } from 'valibot';

const text = string();

/**
 * Reads an id. The platform writes some as numbers; the SDK hands out strings only, none of them empty.
 *
 * A string schema that looks at the value first: as a pipe of union and transform it would weigh as much as
 * all that an endpoint needs of valibot besides.
 */
export const idSchema: GenericSchema<unknown, string> = {
  ...text,
  '~run': (dataset, config) => {
    const { value } = dataset;
    return text['~run'](
      { ...dataset, value: typeof value === 'number' ? `${value}` : value || undefined },
      config,
    );
  },
};
