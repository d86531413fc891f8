-- One row per unit and turn, as it was after the turn.
create view units as
select * from everyone as e where e.state <> 'fallen';
