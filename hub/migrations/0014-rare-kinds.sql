-- Most products are packages. A list of any other kind would read past all of them: these few have an index of their own.
CREATE INDEX products_of_rare_kinds ON products (tenant_id, kind, name_folded, entity_id) WHERE kind <> 'package';
