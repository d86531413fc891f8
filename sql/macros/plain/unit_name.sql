-- A unit as its owner writes it: number and code of the realm, 112@ABC.
create macro unit_name(number, realm) as number || '@' || realm;
